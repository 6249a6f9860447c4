import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerPermission, readPermissionRequest } from './permission-policy.ts';

const options: readonly object[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

let base: string;
let directory: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'permissions-')));
  directory = join(base, 'work');
  await mkdir(join(directory, 'src'), { recursive: true });
  await mkdir(join(base, 'other'));
  await writeFile(join(directory, 'src/a.ts'), '');
  await symlink('../other', join(directory, 'out'));
  await symlink('../other/missing', join(directory, 'dangling'));
  await symlink('src', join(directory, 'in'));
});

afterAll(() => rm(base, { recursive: true, force: true }));

async function answer(
  toolCall: unknown,
  { isSandboxed = false, offered = options }: { isSandboxed?: boolean; offered?: unknown } = {},
) {
  const request = readPermissionRequest({ sessionId: '1', toolCall, options: offered });
  if (request === null) return { chosen: 'none', refused: 'none' };
  const { response, refused } = await answerPermission(request, { directory, isSandboxed });
  const { outcome } = response;
  return { chosen: outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome, refused };
}

/** Writes the place of the tests into a call. */
function placed(call: object): unknown {
  return JSON.parse(JSON.stringify(call).replaceAll('$base', base));
}

describe('answerPermission', () => {
  it.each([
    [{ kind: 'edit', locations: [{ path: '$base/work/src/a.ts' }] }],
    [{ kind: 'edit', locations: [{ path: 'new/directory/b.ts' }] }],
    [{ kind: 'read', locations: [{ path: 'src/a.ts' }] }],
    [{ kind: 'read', locations: [{ path: 'in/a.ts' }] }],
    [{ kind: 'read', locations: [{ path: 'file://$base/work/src/a%2Ets' }] }],
    [{ kind: 'delete', locations: [{ path: '$base/work' }] }],
    [{ kind: 'edit', rawInput: { filePath: 'src/a.ts', oldString: '/* ../a */', newString: '~' } }],
    [{ kind: 'edit', rawInput: { notebook_path: 'src/a.ts', new_source: 'a\n../b' } }],
    [{ kind: 'think' }],
  ])('allows what stays inside the directory, and only once: %j [NX-275]', async (call) => {
    expect(await answer(placed(call))).toEqual({ chosen: 'once', refused: null });
  });

  it.each([
    [{ kind: 'edit', locations: [{ path: '$base/work/../other/a.ts' }] }],
    [{ kind: 'edit', locations: [{ path: '$base/workshop/a.ts' }] }],
    [{ kind: 'read', locations: [{ path: 'src/a.ts' }, { path: '/etc/passwd' }] }],
    [{ kind: 'edit', content: [{ type: 'diff', path: '/root/.ssh/config', newText: '' }] }],
    [{ kind: 'fetch' }],
    [{ kind: 'switch_mode' }],
    [{}],
  ])('refuses what leaves it, also in a sandbox: %j [NX-275]', async (call) => {
    const { chosen, refused } = await answer(placed(call), { isSandboxed: true });
    expect(chosen).toBe('no');
    expect(refused).not.toBeNull();
  });

  it.each([
    ['a link that leads out', { kind: 'edit', locations: [{ path: 'out/a.ts' }] }],
    ['a link that leads to nothing', { kind: 'edit', locations: [{ path: 'dangling' }] }],
    ['a step up behind a link', { kind: 'read', locations: [{ path: 'in/../src/a.ts' }] }],
    ['a home', { kind: 'read', locations: [{ path: '~/.ssh/id_rsa' }] }],
    ['the URL of a file outside', { kind: 'read', locations: [{ path: 'file:///etc/passwd' }] }],
    ['a URL that hides a step up', { kind: 'read', locations: [{ path: 'file://$base/work/%2e%2e/other' }] }],
    ['a URL with a host', { kind: 'read', locations: [{ path: 'file://host/etc/passwd' }] }],
    ['another kind of URL', { kind: 'read', rawInput: { url: 'https://example.org/' } }],
    [
      'an input that names another file',
      { kind: 'edit', locations: [{ path: 'src/a.ts' }], rawInput: { file_path: '/etc/passwd' } },
    ],
    [
      'an input that names one far inside',
      {
        kind: 'edit',
        locations: [{ path: 'src/a.ts' }],
        rawInput: { edits: [{ target: { path: 'out/a' } }] },
      },
    ],
    ['a list of files', { kind: 'read', rawInput: { paths: ['src/a.ts', '/etc/passwd'] } }],
    ['a directory of its own', { kind: 'read', rawInput: { command: 'ls', cwd: '/' } }],
    ["git's own files", { kind: 'edit', locations: [{ path: '.git/hooks/pre-commit' }] }],
    ['a path of control characters', { kind: 'edit', locations: [{ path: 'a\u001b[2Jb' }] }],
    ['a location without a path', { kind: 'edit', locations: [{ line: 3 }] }],
    ['a location that is none', { kind: 'edit', locations: 'src/a.ts' }],
    ['a path that is a number', { kind: 'edit', locations: [{ path: 3 }] }],
    [
      'more files than anybody reads',
      { kind: 'read', locations: Array.from({ length: 501 }, (_, i) => ({ path: `a${i}` })) },
    ],
    ['a kind that is none', { kind: 3, locations: [{ path: 'src/a.ts' }] }],
    ['no kind', { locations: [{ path: 'src/a.ts' }] }],
  ])('refuses in doubt, also in a sandbox: %s [NX-284]', async (_, call) => {
    const { chosen, refused } = await answer(placed(call), { isSandboxed: true });
    expect(chosen).toBe('no');
    expect(refused).not.toMatch(/\p{Cc}/u);
    expect(refused?.length).toBeLessThan(300);
  });

  it('takes a call that names a command for one that runs it, whatever its kind says [NX-284]', async () => {
    for (const kind of ['think', 'read', 'edit']) {
      const call = { kind, locations: [{ path: 'src/a.ts' }], rawInput: { command: 'rm -rf /' } };
      expect((await answer(call)).chosen).toBe('no');
      expect((await answer(call, { isSandboxed: true })).chosen).toBe('once');
    }
  });

  it.each([
    ['a place outside', { kind: 'execute', locations: [{ path: '/usr/lib' }] }],
    ['a directory of its own', { kind: 'execute', rawInput: { command: 'ls', cwd: '/' } }],
    ['a location that is none', { kind: 'execute', locations: 'src/a.ts' }],
  ])(
    'does not judge a program by the paths that its agent names: walls keep it in: %s [NX-275]',
    async (_, call) => {
      expect((await answer(call, { isSandboxed: true })).chosen).toBe('once');
      expect((await answer(call)).chosen).toBe('no');
    },
  );

  it('lets programs run, and paths stay unsaid, in a sandbox alone [NX-275]', async () => {
    for (const kind of ['execute', 'edit', 'read']) {
      expect((await answer({ kind })).chosen).toBe('no');
      expect((await answer({ kind }, { isSandboxed: true })).chosen).toBe('once');
    }
  });

  it.each([
    ['nothing', []],
    ['no list', 'yes'],
    ['only to allow it for good', [{ optionId: 'always', kind: 'allow_always' }]],
    [
      'one id for yes and no',
      [
        { optionId: 'x', kind: 'allow_once' },
        { optionId: 'x', kind: 'reject_once' },
      ],
    ],
    ['an id that is none', [{ optionId: 7, kind: 'allow_once' }, null, 'yes']],
  ])('does nothing where the agent offers no fitting answer: %s [NX-284]', async (_, offered) => {
    const allowed = await answer({ kind: 'think' }, { offered });
    expect(allowed.chosen).toBe('cancelled');
    expect(allowed.refused).toBe('the agent offered no way to allow it once');
    expect((await answer({ kind: 'fetch' }, { offered })).chosen).toBe('cancelled');
  });

  it('takes what is no request for none [NX-284]', async () => {
    for (const params of [null, 3, {}, { sessionId: '1' }, { sessionId: 1, toolCall: {}, options }])
      expect(readPermissionRequest(params)).toBeNull();
  });
});
