/**
 * Loaded into the daemon with `node --import`, before anything else: while the file that the environment names is there, nothing
 * can be written below a directory, as on a disk that is full. What is written over stays writable, as it does there.
 */
import fs, { existsSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

interface FullDisk {
  readonly below: string;
  readonly while: string;
}

const disk = JSON.parse(process.env.FULL_DISK ?? '') as FullDisk;
const overwritten = ['lock.json', 'lock.held'];
const paths = new WeakMap<FileHandle, string>();
const handles = new Map<number, FileHandle>();

type Operation = (...args: never[]) => unknown;

function patch(target: object, name: string, pathOf: (self: unknown, first: unknown) => string): void {
  const operations = target as Record<string, Operation>;
  const original = operations[name];
  if (original === undefined) throw new Error(`this Node has no ${name}`);
  const isSync = name.endsWith('Sync');
  operations[name] = function (this: unknown, ...args: never[]) {
    const path = pathOf(this, args[0]);
    const isRefused = path.startsWith(disk.below) && !overwritten.includes(basename(path));
    if (!isRefused || !existsSync(disk.while)) return original.apply(this, args);
    const error = Object.assign(new Error(`ENOSPC: no space left on device, ${name} '${path}'`), {
      code: 'ENOSPC',
    });
    if (isSync) throw error;
    return Promise.reject(error);
  };
}

const { open } = promises;
promises.open = async (...args) => {
  const handle = await open(...args);
  paths.set(handle, String(args[0]));
  handles.set(handle.fd, handle);
  return handle;
};
const findPath = (handle: FileHandle | undefined): string =>
  handle === undefined ? '' : (paths.get(handle) ?? '');
for (const name of ['writeFile', 'mkdir']) patch(promises, name, (_, path) => String(path));
patch(fs, 'writeSync', (_, fd) => findPath(handles.get(fd as number)));
const probe = await open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(probe) as object;
await probe.close();
for (const name of ['write', 'writeFile', 'appendFile'])
  patch(prototype, name, (self) => findPath(self as FileHandle));
syncBuiltinESMExports();
