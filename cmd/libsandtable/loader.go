package main

import "C"

import "unsafe"

//export st_loader
func st_loader(json unsafe.Pointer, length int64) int64 { return with(json, length, lib.OpenLoader) }

//export st_loader_describe
func st_loader_describe(loader int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.DescribeLoader(loader, b) })
}

//export st_loader_prepare
func st_loader_prepare(loader, rows int64) int64 { return result(lib.Prepare(loader, rows)) }

//export st_loader_sizes
func st_loader_sizes(loader int64, sizes unsafe.Pointer, n int64) int64 {
	return with(sizes, n, func(s []int64) (int64, error) { return lib.Sizes(loader, s) })
}

//export st_loader_fill
func st_loader_fill(loader int64, pointers, sizes unsafe.Pointer, count int64) int64 {
	memory, err := pieces(pointers, sizes, count)
	if err != nil {
		return result(0, err)
	}
	return result(lib.Fill(loader, memory))
}

//export st_loader_save
func st_loader_save(loader int64, data unsafe.Pointer, capacity int64) int64 {
	return with(data, capacity, func(b []byte) (int64, error) { return lib.SaveLoader(loader, b) })
}

//export st_loader_restore
func st_loader_restore(loader int64, data unsafe.Pointer, length int64) int64 {
	return with(data, length, func(b []byte) (int64, error) { return lib.RestoreLoader(loader, b) })
}

//export st_loader_refresh
func st_loader_refresh(loader int64) int64 { return result(lib.Refresh(loader)) }

//export st_loader_episodes
func st_loader_episodes(loader int64, sets unsafe.Pointer, n int64, numbers unsafe.Pointer, m int64) int64 {
	return with(sets, n, func(s []int32) (int64, error) {
		all, err := array[int64](numbers, m)
		if err != nil {
			return 0, err
		}
		return lib.Episodes(loader, s, all)
	})
}

//export st_loader_weights
func st_loader_weights(loader int64, weights unsafe.Pointer, n int64) int64 {
	return with(weights, n, func(w []float64) (int64, error) { return lib.SetWeights(loader, w) })
}
