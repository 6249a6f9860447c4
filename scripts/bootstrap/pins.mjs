// Which packages of the toolchain are fetched for this machine, and the hashes that their tarballs must have.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetUpError } from './processes.mjs';

/**
 * Lists the tarballs that make the toolchain of this machine: pnpm, its program, and Node where it is brought along. Null for
 * a machine whose program or Node has no hash in `pins.json`.
 */
export function listPins({ pins, platform = platformName(), bringsNode }) {
  const names = ['pnpm', `@pnpm/exe.${platform}`, ...(bringsNode ? [`node-${platform}`] : [])];
  if (names.some((name) => pins[name] === undefined)) return null;
  return names.map((name) => ({
    ...pins[name],
    spec: `${name}@${pins[name].version}`,
    file: fileOf(name, pins[name]),
  }));
}

/** Throws when a tarball in a folder is not the one whose hash is kept here. */
export function verifyPin(folder, { spec, file, integrity }) {
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')}`;
  if (found === integrity) return;
  throw new SetUpError(
    `What the registry gave as ${spec} is not what this repository was tested with, and was not used: its hash is ${found}, and ` +
      `scripts/bootstrap/pins.json has ${integrity}. Ask whoever runs the registry; do not change the hash to what came.`,
  );
}

/** The file that `npm pack` makes of a package. */
function fileOf(name, { version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/** Names platforms as pnpm does: `linux-x64`, `linux-x64-musl`, `darwin-arm64`. */
function platformName() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}
