// Package scenario has tests of the whole program in hard times, and nothing else: servers that are killed, also under
// load, disks that fill up and fail, clients that write for a long time at once, and exports that hledger and Beancount
// read. What they share with the tests of commands is in cmdtest.
package scenario
