#!/usr/bin/env bash
# Brings the browser that `npm run test:browser` drives, where it is missing: Debian's Chromium.
set -euo pipefail

if command -v chromium >/dev/null; then
  echo "Chromium is here: $(command -v chromium)"
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q update
  apt-get -q -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends chromium
else
  echo 'The browser tests need Chromium; on Debian, as root: apt-get install chromium' >&2
  exit 1
fi
