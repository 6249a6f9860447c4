import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A registry of npm packages on loopback that asks for a login, with one package. */
export interface PackageRegistry {
  readonly url: string;
  /** Text of `package-lock.json` for a project that needs the package. */
  readonly lockFile: string;
  /** Requests so far, with the login of each. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | null }[];
  readonly close: () => Promise<void>;
}

export interface RegistryPackage {
  readonly name: string;
  /** Files of the package, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Starts it; without `Bearer TOKEN` it answers 401. */
export async function startPackageRegistry(
  { name, files }: RegistryPackage,
  { token }: { readonly token: string },
): Promise<PackageRegistry> {
  const archive = await packFiles(files);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const path = `/packages/${name}/-/${name}-1.0.0.tgz`;
  const requests: { path: string; authorization: string | null }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, authorization: headers.authorization ?? null });
    const isLoggedIn = headers.authorization === `Bearer ${token}`;
    response.statusCode = isLoggedIn ? (url === path ? 200 : 404) : 401;
    response.end(response.statusCode === 200 ? archive : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lock = {
    ...{ name: 'shop', lockfileVersion: 3, requires: true },
    packages: {
      '': { name: 'shop', dependencies: { [name]: '1.0.0' } },
      [`node_modules/${name}`]: {
        ...{ version: '1.0.0', resolved: `${origin}${path}`, integrity, hasInstallScript: true },
      },
    },
  };
  return {
    url: `${origin}/packages/`,
    lockFile: `${JSON.stringify(lock, null, 2)}\n`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function packFiles(files: RegistryPackage['files']): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, 'package', path)), { recursive: true });
      await writeFile(join(directory, 'package', path), text);
    }
    await run('tar', ['-czf', join(directory, 'package.tgz'), '-C', directory, 'package']);
    return await readFile(join(directory, 'package.tgz'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
