import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { expect, it, onTestFinished } from 'vitest';
import { createGitHubPlatform } from '../src/github/index.ts';
import { createGitLabPlatform } from '../src/gitlab/index.ts';
import type { PictureSource, RequestRecord } from '../src/index.ts';
import { pictureSourceContract } from '../src/testing/index.ts';

const token = 'token-of-the-robot-0123456789';

async function createGitHubWorld() {
  const simulator = await startGitHubSimulator();
  for (const login of ['octo', 'robot']) simulator.addUser({ login });
  simulator.addToken({ token, login: 'robot' });
  const collaborators = { robot: 'write' } as const;
  await simulator.addRepository({ owner: 'octo', name: 'hello', private: true, files: {}, collaborators });
  const key = { type: 'github_issue', owner: 'octo', repo: 'hello', number: 1 } as const;
  const connect = (used = token) =>
    createGitHubPlatform({ token: used, baseUrl: simulator.url, repositories: ['octo/hello'] });
  const requests: RequestRecord[] = [];
  return {
    simulator,
    open: (used?: string) =>
      open(connect(used).openPictures?.(key, { onRequest: (record) => requests.push(record) })),
    requests,
    drop: async (bytes: Uint8Array) => simulator.upload({ repo: 'octo/hello', content: Buffer.from(bytes) }),
    missingLink: `${simulator.url}/user-attachments/assets/00000000-0000-4000-8000-000000000000`,
    close: simulator.close,
  };
}

async function createGitLabWorld() {
  const simulator = await startGitLabSimulator({ relativeUrlRoot: '/lab' });
  for (const username of ['octo', 'robot']) simulator.addUser({ username });
  simulator.addToken({ token, username: 'robot' });
  const members = { robot: 'developer' } as const;
  const id = await simulator.addProject({ path: 'octo/hello', files: {}, members });
  const platform = createGitLabPlatform({ token, baseUrl: simulator.url, projects: ['octo/hello'] });
  const key = { type: 'gitlab_issue', projectId: String(id), iid: 1 } as const;
  return {
    simulator,
    id,
    open: () => open(platform.openPictures?.({ ...key, host: platform.host } as never)),
    drop: async (bytes: Uint8Array) =>
      simulator.upload({ project: 'octo/hello', filename: 'a b.png', content: Buffer.from(bytes) }),
    missingLink: `/uploads/${'0'.repeat(32)}/gone.png`,
    close: simulator.close,
  };
}

function open(source: PictureSource | undefined): PictureSource {
  if (source === undefined) throw new Error('the platform has no pictures');
  return source;
}

pictureSourceContract({ name: 'GitHub on our simulator', create: createGitHubWorld });
pictureSourceContract({ name: 'GitLab on our simulator', create: createGitLabWorld });

const picture = new Uint8Array([1, 2, 3]);

it('gives GitHub the token at the address of the upload, and not where it redirects to [NX-401]', async () => {
  const world = await createGitHubWorld();
  onTestFinished(world.close);
  const address = world.open().locate(await world.drop(picture)) ?? '';
  expect(await world.open().fetchPicture(address, { maxBytes: 10 })).toEqual(Buffer.from(picture));
  // The simulated storage refuses a request with a token, as the real one does.
  expect(world.simulator.requests.map(({ login }) => login)).toEqual(['robot', null]);
  expect(world.requests.map(({ route, status }) => [route, status])).toEqual([
    ['GET upload', 302],
    ['GET upload', 200],
  ]);
  const stranger = world.open('token-of-nobody-0123456789012');
  await expect(stranger.fetchPicture(address, { maxBytes: 10 })).rejects.toMatchObject({ code: 'not-found' });
});

/** GitHub.com and its hosts as an HTTP client sees them; keeps what was asked and with which token. */
function createDotCom(redirectTo: string) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    asked.push(`${url.host} ${new Headers(init?.headers).get('authorization') ?? 'nobody'}`);
    if (url.host === 'github.com')
      return new Response(null, { status: 302, headers: { location: redirectTo } });
    return new Response(picture);
  };
  const platform = createGitHubPlatform({ token, repositories: ['octo/hello'], fetch });
  const key = { type: 'github_issue', owner: 'octo', repo: 'hello', number: 1 } as const;
  return { asked, source: open(platform.openPictures?.(key)) };
}

const asset = 'https://github.com/user-attachments/assets/12345678-1234-4234-8234-123456789abc';

it('follows GitHub.com to its own storage, without the token [NX-401]', async () => {
  const storage = 'https://github-production-user-asset-6210df.s3.amazonaws.com/1/2.png?X-Amz-Signature=a';
  const { asked, source } = createDotCom(storage);
  expect(await source.fetchPicture(source.locate(asset) ?? '', { maxBytes: 10 })).toHaveLength(3);
  expect(asked).toEqual([
    `github.com Bearer ${token}`,
    'github-production-user-asset-6210df.s3.amazonaws.com nobody',
  ]);
});

it.each([
  'https://pictures.example/1.png',
  'http://127.0.0.1:8080/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'http://objects.githubusercontent.com/1.png',
  'https://objects.githubusercontent.com.pictures.example/1.png',
  'https://objects.githubusercontent.com:8443/1.png',
  'file:///etc/passwd',
])('does not follow a redirect to %s [NX-401]', async (location) => {
  const { asked, source } = createDotCom(location);
  await expect(source.fetchPicture(source.locate(asset) ?? '', { maxBytes: 10 })).rejects.toMatchObject({
    code: 'invalid',
  });
  expect(asked).toHaveLength(1);
});

it('ends a circle of redirects [NX-401]', async () => {
  const { asked, source } = createDotCom(asset);
  await expect(source.fetchPicture(asset, { maxBytes: 10 })).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toHaveLength(4);
});

it('knows the addresses that GitHub.com has given uploads, and gives older ones no token [NX-400]', async () => {
  const { asked, source } = createDotCom(asset);
  const older = 'https://user-images.githubusercontent.com/1/2-3.png';
  const uuid = '12345678-1234-4234-8234-123456789abc';
  const known = [asset, older, `https://github.com/octo/hello/assets/42/${uuid}`];
  expect(known.map((link) => source.locate(link))).toEqual(known);
  const unknown = [
    'https://github.com/octo/hello/blob/main/a.png',
    `https://api.github.com/user-attachments/assets/${uuid}`,
    `https://user:secret@github.com/user-attachments/assets/${uuid}`,
    'https://github.com/user-attachments/assets/../../logout',
    'http://user-images.githubusercontent.com/1/2.png',
  ];
  expect(unknown.filter((link) => source.locate(link) !== null)).toEqual([]);
  await source.fetchPicture(older, { maxBytes: 10 });
  expect(asked).toEqual(['user-images.githubusercontent.com nobody']);
});

it('asks the API of GitLab for an upload of its own project, however it is linked [NX-400]', async () => {
  const world = await createGitLabWorld();
  onTestFinished(world.close);
  const { locate } = world.open();
  const link = await world.drop(picture);
  const secret = link.split('/')[2] ?? '';
  const path = `/uploads/${secret}/a%20b.png`;
  const address = `${world.simulator.url}/api/v4/projects/${world.id}${path}`;
  const { origin } = new URL(world.simulator.url);
  const links = [link, `${origin}/lab/octo/hello${path}`, `${origin}/lab/-/project/${world.id}${path}`];
  expect(links.map((one) => locate(one))).toEqual([address, address, address]);
  const others = [
    `${origin}/lab/-/project/4711${path}`,
    `/uploads/${secret}/a.svg`,
    `/uploads/${secret}/..%2F..%2F..%2Fuser.png`,
    `/uploads/short/a.png`,
  ];
  expect(others.filter((one) => locate(one) !== null)).toEqual([]);
});
