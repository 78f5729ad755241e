-- The right to change a project is a lock of the kernel's, on a file of its own.
DROP TABLE write_lease;
