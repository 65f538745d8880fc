//go:build long

package mend_test

import "testing"

func TestManyRandomDamages(t *testing.T) { randomlyDamaged(t, 500) }
