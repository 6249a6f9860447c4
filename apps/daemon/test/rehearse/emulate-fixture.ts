import { createEmulator } from 'emulate';
import { findFreePort } from '../support/find-free-port.ts';
import { projectFiles } from '../support/world.ts';
import {
  openFixture,
  type PlatformFixture,
  type RehearsalFixtureOptions,
  repository,
} from './rehearsal-fixture.ts';

const [owner = '', name = ''] = repository.split('/');
const logins = ['acme', 'robot', 'alice'];
const tokenOf = (login: string) => `token-of-${login}`;

/** A fixture whose platform is the GitHub of npm's `emulate`, and the address of its API. */
export interface EmulateFixture extends PlatformFixture {
  readonly ask: (path: string) => Promise<unknown>;
}

export async function startEmulateFixture(
  options: Omit<RehearsalFixtureOptions, 'forge'> = {},
): Promise<EmulateFixture> {
  const emulator = await createEmulator({
    service: 'github',
    port: await findFreePort(),
    seed: {
      tokens: Object.fromEntries(logins.map((login) => [tokenOf(login), { login, scopes: ['repo'] }])),
      github: { users: logins.map((login) => ({ login })), repos: [{ owner, name, auto_init: false }] },
    },
  });
  const send = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${tokenOf(owner)}`, 'content-type': 'application/json' };
    const response = await fetch(`${emulator.url}/repos/${repository}${path}`, { headers, ...init });
    return response.json();
  };
  const put = (path: string, body: object) => send(path, { method: 'PUT', body: JSON.stringify(body) });
  for (const [path, text] of Object.entries(projectFiles))
    await put(`/contents/${path}`, { message: path, content: Buffer.from(text).toString('base64') });
  for (const login of ['robot', 'alice']) await put(`/collaborators/${login}`, { permission: 'push' });
  const fixture = await openFixture(
    {
      name: 'github',
      url: emulator.url,
      config: { repositories: [repository], write_spacing_ms: 0 },
      environment: { GITHUB_TOKEN: tokenOf('robot') },
      personToken: tokenOf('alice'),
      shutDown: () => emulator.close(),
    },
    options,
  );
  return { ...fixture, ask: (path) => send(path) };
}
