# Runs a program that sees nothing but some files: ROOT SCRATCH MEMORY_KB READ ... -- PROGRAM WORD ...
# To be started in mount and process namespaces of its own. Everything here is part of util-linux or POSIX.
set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1
scratch=$2
memory=$3
shift 3
mount --make-rprivate /
mount -t tmpfs -o size=1m,mode=755 guise "$root"
mkdir "$root/proc" "$root/dev" "$root/old"
mount -t proc guise "$root/proc"
show() {
  if [ -L "$1" ]; then
    mkdir -p "$root${1%/*}"
    ln -s "$(readlink "$1")" "$root$1"
  elif [ -d "$1" ]; then
    mkdir -p "$root$1"
    mount --bind "$2" "$1" "$root$1"
  elif [ -e "$1" ]; then
    mkdir -p "$root${1%/*}"
    : >"$root$1"
    mount --bind "$2" "$1" "$root$1"
  fi
}
while [ "$1" != -- ]; do
  show "$1" --read-only
  shift
done
shift
for device in /dev/null /dev/urandom; do show "$device" --read-write; done
show "$scratch" --read-write
cd "$root"
pivot_root . old
cd /
umount -l old
ulimit -d "$memory"
ulimit -c 0
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
