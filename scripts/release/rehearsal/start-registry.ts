import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repositoryRoot } from '../../workspace/root.ts';
import { runProgram } from './run-program.ts';

/** Version of verdaccio that was last tried; it is fetched when a rehearsal needs it. */
const verdaccioVersion = '6.10.4';
const startLimitMs = 60_000;

/** A registry on this machine: what is published there stays there, all else comes from the usual registry. */
export interface LocalRegistry {
  readonly url: string;
  /** Content of a file `.npmrc` that installs from here and may publish here. */
  readonly npmrc: string;
  readonly close: () => Promise<void>;
}

/** Starts verdaccio in a folder that it keeps its packages in. `upstream`: the registry of all other packages. */
export async function startRegistry(folder: string, upstream: string, scope: string): Promise<LocalRegistry> {
  const program = await fetchVerdaccio();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  mkdirSync(folder, { recursive: true });
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: 1 } },
    uplinks: { upstream: { url: upstream, cache: false, timeout: '60s', maxage: '1h' } },
    packages: {
      [`${scope}/*`]: { access: '$all', publish: '$authenticated' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '200mb',
    web: { enable: false },
    log: { type: 'file', path: join(folder, 'registry.log'), level: 'warn' },
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const child = spawn(process.execPath, [program, '--config', join(folder, 'config.yaml'), '--listen', url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    await waitFor(url, exited);
    const token = await addUser(url);
    const npmrc = `registry=${url}\n${url.replace('http:', '')}:_authToken=${token}\naudit=false\nfund=false\n`;
    return { url, npmrc, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fetchVerdaccio(): Promise<string> {
  const folder = join(repositoryRoot, '.toolchain', `verdaccio-${verdaccioVersion}`);
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  await runProgram(folder, ['npm', 'install', ...flags, `verdaccio@${verdaccioVersion}`]);
  return program;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

async function waitFor(url: string, exited: Promise<unknown>): Promise<void> {
  const giveUp = AbortSignal.timeout(startLimitMs);
  const failed = exited.then(() => {
    throw new Error('The registry ended before it answered.');
  });
  const answers = async () => {
    while (true) {
      const isUp = await fetch(`${url}-/ping`, { signal: giveUp }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      await delay(100, undefined, { signal: giveUp });
    }
  };
  await Promise.race([answers(), failed]);
}

async function addUser(url: string): Promise<string> {
  const answer = await fetch(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'rehearsal', password: crypto.randomUUID() }),
  });
  const { token } = (await answer.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`The registry gave no token (HTTP ${answer.status}).`);
  return token;
}
