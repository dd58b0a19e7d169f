# A suite file that cannot be imported: the others must still be read.
import a_package_that_does_not_exist  # noqa: F401
