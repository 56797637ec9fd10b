"""What Python runs when it starts with this folder on PYTHONPATH: the stand-in for a GPU is put
in, and `.pth` files are read as those of a folder of packages are. Inductor's compile workers
get PYTHONPATH, so they have both."""

import os
import site

import stand_in

stand_in.install()
if folder := os.environ.get("STAND_IN_SITE"):
    site.addsitedir(folder)
