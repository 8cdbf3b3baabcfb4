#!/bin/bash
# Sourced by test-bluetooth.sh and test-hotspot.sh: a virtual machine whose root is this machine's own file
# system, read-only, so that the program runs where it was built; nothing of the machine is touched. Where it
# cannot run, the verb says why and passes.
#   machine_packages NAME...      installs what the suite needs, and what the machine itself does
#   machine_kernel FOLDER...      unpacks a kernel with these folders of modules
#   machine_run SECONDS SCRIPT    runs a script in it; its last line must be `over STATUS`

# Kept between runs: the unpacked kernel.
keep=$here/out/$suite
mkdir -p "$keep"

skip() {
  echo "test-$suite: skipped: $*"
  exit 0
}
[[ $(uname -m) == x86_64 ]] || skip "the virtual machine is made for x86_64"
[[ $(id -u) == 0 ]] || skip "it needs root, for Debian's packages and for reading all files"

machine_packages() {
  local missing=() package
  for package in qemu-system-x86 busybox-static kmod cpio xz-utils dbus "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  echo "installing ${missing[*]}"
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
    --no-install-recommends "${missing[@]}"; } >"$keep/apt.log" 2>&1 || skip "packages cannot be installed: $keep/apt.log"
}

# Unpacked and not installed. From the backports: the one of Debian 12 itself loses its RFCOMM thread when a
# peer is switched off.
machine_kernel() {
  if [[ ! -s $keep/version ]]; then
    echo 'fetching a kernel'
    local fetch=$keep/fetch mirror image folders
    rm -rf "$keep/lib" "$keep/boot" "$fetch"
    mkdir -p "$fetch"/{lists,archives}/partial
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -1)
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm-backports main" >"$fetch/sources"
    local options=(-o "Dir::Etc::SourceList=$fetch/sources" -o Dir::Etc::SourceParts=/dev/null
      -o "Dir::State::Lists=$fetch/lists" -o "Dir::Cache=$fetch")
    apt-get -qq "${options[@]}" update >>"$keep/apt.log" 2>&1 || skip "the backports cannot be reached: $keep/apt.log"
    image=$(apt-cache "${options[@]}" depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p' | head -1)
    (cd "$fetch" && apt-get -qq "${options[@]}" download "$image") >>"$keep/apt.log" 2>&1 || skip "no kernel: $keep/apt.log"
    version=${image#linux-image-}
    folders=(crypto lib arch/x86/crypto net/rfkill net/9p fs/9p fs/netfs fs/fscache fs/overlayfs drivers/virtio "$@")
    # Parts that this kernel has built in are not in the archive, and tar complains of them.
    dpkg-deb --fsys-tarfile "$fetch/$image"*.deb | tar -x -C "$keep" --wildcards "./boot/vmlinuz-$version" \
      "./*modules/$version/modules.*" "${folders[@]/#/./*modules/$version/kernel/}" \
      "./*modules/$version/kernel/drivers/char/virtio_console*" 2>/dev/null || true
    [[ -s $keep/boot/vmlinuz-$version ]] || skip "$image holds no kernel"
    if [[ -d $keep/usr/lib/modules ]]; then mkdir -p "$keep/lib" && mv "$keep/usr/lib/modules" "$keep/lib/"; fi
    find "$keep/lib" -name '*.ko.xz' -exec unxz {} +
    depmod -b "$keep" "$version" 2>/dev/null
    rm -rf "$fetch"
    echo "$version" >"$keep/version"
  fi
  version=$(<"$keep/version")
}

machine_run() {
  local seconds=$1 script=$2 number=10 file module
  work=$(mktemp -d "$keep/run.XXXXXX")
  trap 'rm -rf "$work" "${inside:-}"' EXIT
  # The first step: just enough to mount this machine's files, with a layer in memory above them.
  mkdir -p "$work/start"/{bin,modules,proc,sys,dev,root,below,above}
  cp /bin/busybox "$work/start/bin/"
  while read -r file; do
    cp "$file" "$work/start/modules/$((number++)).ko"
  done < <(for module in virtio_pci virtio_console 9pnet_virtio 9p overlay; do
    modprobe -C /dev/null -d "$keep" -S "$version" --show-depends "$module"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }')
  cat >"$work/start/init" <<EOF
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
for module in /modules/*.ko; do insmod \$module; done
share='trans=virtio,version=9p2000.L,msize=262144'
mount -t 9p -o ro,cache=loose,\$share files /below
mount -t tmpfs none /above
mkdir /above/new /above/work
mount -t overlay -o lowerdir=/below,upperdir=/above/new,workdir=/above/work none /root
mount --move /proc /root/proc
mount --move /sys /root/sys
mount --move /dev /root/dev
exec switch_root /root /bin/bash $work/inside
EOF
  chmod +x "$work/start/init"
  (cd "$work/start" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/start.gz"

  # The second: a system bus, and the suite.
  cat - "$script" >"$work/inside" <<EOF
export PATH=$PATH:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no
mount -t tmpfs none /run
mkdir -p /run/dbus /run/lock /dev/pts /dev/shm
mount -t devpts none /dev/pts
mount -t tmpfs none /dev/shm
mount -t tmpfs none /tmp
ln -sfn /proc/self/fd /dev/fd
busybox ip link set lo up
said=/dev/\$(basename "\$(dirname "\$(grep -lx suite /sys/class/virtio-ports/*/name)")")
exec >"\$said" 2>&1
over() { echo "exit \$1"; sync; sleep 0.5; busybox poweroff -f; }
mkdir -p /lib/modules/$version
mount --bind $keep/lib/modules/$version /lib/modules/$version
dbus-uuidgen --ensure
dbus-daemon --system
cd $here
EOF

  # One processor: with two a virtual controller now and then does not come up.
  timeout -k 5 $((seconds + 120)) qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 1024 -smp 1 \
    -nodefaults -display none -monitor none -nic none -no-reboot -serial "file:$keep/console.log" \
    -kernel "$keep/boot/vmlinuz-$version" -initrd "$work/start.gz" \
    -append 'console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable' \
    -virtfs "local,path=/,mount_tag=files,security_model=none,readonly=on,multidevs=remap" \
    -device virtio-serial-pci -add-fd fd=3,set=1 -chardev file,id=said,path=/dev/fdset/1,append=on \
    -device virtserialport,chardev=said,name=suite </dev/null 3> >(tee "$work/said") 2>"$keep/qemu.log" || true
  sleep 1
  grep -qx 'exit 0' "$work/said" && exit 0
  [[ -s $work/said ]] || skip "the virtual machine said nothing: $keep/qemu.log, $keep/console.log"
  # Whoever began to speak and did not end well has failed, even if the machine was cut off.
  exit 1
}
