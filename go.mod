module github.com/sandtable-farm/sandtable

go 1.26
