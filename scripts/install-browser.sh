#!/usr/bin/env bash
# Installs the browser that `npm run test:browser` drives into .cache/browser, and nowhere else, so that it takes no root: Debian's Chromium, without
# its windows (headless shell) where there is such a package, because that needs a sixth less CPU; or the one that Playwright offers. The launcher
# comes last, and only if it runs: an interrupted run is done again.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$project/.cache/browser"
cd "$project/.cache/browser"

main() {
  one_at_a_time
  [ -x chromium ] ||
    { has apt-get && unpack chromium-headless-shell fonts-dejavu-core && launch unpacked/usr/lib/chromium/chromium-headless-shell; } ||
    { has apt-get && unpack chromium fonts-dejavu-core && launch unpacked/usr/lib/chromium/chromium; } ||
    { download && { launch playwright/*/*/chrome-headless-shell || { has apt-get && unpack $(libraries) && launch playwright/*/*/chrome-headless-shell; }; }; }
}

playwright() {
  "$project/node_modules/.bin/playwright-core" "$@"
}

has() {
  command -v "$1" >/dev/null
}

one_at_a_time() {
  has flock || return 0
  exec 9>lock
  flock 9
}

# The packages, and of what they need that which this machine lacks, as apt finds it with books of its own; laid open rather than installed.
unpack() {
  local apt=(apt-get -q -o "Dir::State=$PWD/apt" -o Dir::State::status=/var/lib/dpkg/status -o "Dir::Cache=$PWD/apt" -o Debug::NoLocking=true -o APT::Sandbox::User=root)
  mkdir -p apt/{lists,archives}/partial unpacked || return
  "${apt[@]}" update || return
  "${apt[@]}" install --yes --no-install-recommends --download-only "$@" || return
  local package
  for package in apt/archives/*.deb; do dpkg-deb --extract "$package" unpacked || return; done
  rm -r apt
}

download() {
  PLAYWRIGHT_BROWSERS_PATH=$PWD/playwright PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=10000 playwright install chromium-headless-shell
}

libraries() {
  playwright install-deps --dry-run chromium-headless-shell | sed -n 's/^  //p'
}

launch() {
  cat >fonts.conf <<END
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">unpacked/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
END
  cat >chromium.new <<END
#!/bin/sh
here=\$(cd "\$(dirname "\$0")" && pwd)
if [ -d "\$here/unpacked" ]; then
  export LD_LIBRARY_PATH=\$(find "\$here/unpacked" -name '*.so*' -exec dirname {} + | sort -u | paste -sd: -) FONTCONFIG_FILE="\$here/fonts.conf"
fi
exec "\$here/$1" "\$@"
END
  chmod +x chromium.new
  ./chromium.new --version && mv chromium.new chromium
}

main
