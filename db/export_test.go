package db

// ReserveMemory does what the first Open does, for tests that open files without this package first: shuffled, any can.
func ReserveMemory() { reserveMemory() }
