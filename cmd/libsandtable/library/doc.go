// Package library is the C library of Sandtable without C: the package libsandtable
// converts pointers to slices and calls it.
//
// # Handles
//
// Games, batches, states, agents and matches are named by handles. A handle is never
// used twice: after Close it is an error, as is a number that never was a handle. One
// thread at a time may use a handle, another gets an error of kind busy; a game may be
// used by any number of threads.
//
// # Results
//
// Every function returns a number that is not negative, and an error. At the border to
// C, both become one number ([Library.Code]): an error becomes a negative code, from
// which [Library.Fault] reads its kind and text, once. A panic becomes an error of kind
// internal; the object that was in use is not usable afterwards, except to close it.
//
// Functions that return text or bytes take a buffer and return the length of the
// result. A buffer that is too short stays as it is, and the caller tries again with a
// longer one.
//
// # Long calls
//
// No call lasts much longer than half a second. A call that may need more time runs in a
// goroutine. It returns [Pending] if it has not ended after a fifth of a second, and
// [Library.Wait] then returns its result, or Pending once more. Until then, the handle
// accepts only Wait and Cancel.
//
// # Memory
//
// Arrays belong to the caller, who must keep them until the batch that writes to them is
// closed. The library checks their lengths and never trusts what it reads from them.
package library
