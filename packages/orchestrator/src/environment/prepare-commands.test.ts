import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlace, createMemoryRunStore } from '@agent/run-store/testing';
import { RunInterruption, type RunSignals } from '@agent/runner';
import { createSecretFilters } from '@agent/text/outgoing';
import type { CheckedOutSubmodules, FetchedLfsFiles, OpenedWorkspace, TaskWorkspace } from '@agent/workspace';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { parseRunSettings } from '../config/run-settings.ts';
import type { Run } from '../run/run.ts';
import { createOpenCommands } from './open-commands.ts';
import { createPrepareCommands, type PreparedCommands } from './prepare-commands.ts';
import { formatSetUps } from './set-up-report.ts';

const secret = 'plum-orchard-lane-9';

let bed: PastBed;
let root: string;
let opened: PreparedCommands[];
beforeEach(async () => {
  bed = await makePastBed();
  root = await realpath(await mkdtemp(join(tmpdir(), 'prepare-')));
  opened = [];
});
afterEach(async () => {
  for (const { place } of opened) await place.close();
  await rm(root, { recursive: true, force: true });
  await bed.close();
});

/** A run in a worktree, as far as its environment is concerned. */
async function openRun(locale: 'en' | 'ja' = 'en') {
  const { platform, key, logger } = bed;
  const place = createMemoryPlace();
  const store = createMemoryRunStore<ModelMessage>({ place, owner: await place.acquireOwnership() });
  const uuid = randomUUID();
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const { journal, state } = await store.open({ uuid, ...thread, user: 'alice', config: {}, extra: {} });
  const ports = platform.openThread(key);
  const repository = { id: null, path: 'acme/shop', cloneUrl: '', branch: 'agent/1', baseBranch: 'main' };
  const run = {
    ...{ uuid, journal, state, logger },
    facts: { locale, kind: 'issue', repository },
    thread: { platform: { platform }, ports, writer: openRunComments(ports.writer) },
  } as unknown as Run;
  const listComments = async () => {
    const { comments } = await ports.comments.listComments({ since: null });
    return comments.map(({ body }) => body.slice(body.indexOf('\n') + 1));
  };
  return { run, listComments };
}

interface Given {
  readonly environment?: object;
  readonly file?: string | null;
  readonly submodules?: CheckedOutSubmodules;
  readonly lfs?: FetchedLfsFiles;
  readonly state?: TaskWorkspace['state'];
  readonly mode?: 'off' | 'external';
  readonly read?: RunSignals['read'];
  readonly signal?: AbortSignal;
}

async function prepare(run: Run, given: Given = {}): Promise<PreparedCommands> {
  const {
    environment,
    file = null,
    state = 'created',
    mode = 'off',
    read = async () => 'none',
    signal = new AbortController().signal,
    submodules = { made: [], missing: [] },
    lfs = { made: [], missing: [] },
  } = given;
  const settings = parseRunSettings({
    environments: environment === undefined ? [] : [{ repositories: ['*'], ...environment }],
  });
  const { hideKnownSecrets, redactOutgoing } = createSecretFilters([secret]);
  const openCommands = createOpenCommands({
    settings,
    sandbox: { kind: 'none', mode },
    environment: {},
    hideKnownSecrets,
  });
  const workspace = {
    ...{ path: root, branch: 'agent/1', baseBranch: 'main', state, gitDirectories: [], homesDirectory: root },
    readBaseFiles: async () => [file],
    hasCommits: async () => false,
    readPatch: async () => null,
    contents: { checkOutSubmodules: async () => submodules, fetchLfsFiles: async () => lfs },
  } as unknown as OpenedWorkspace;
  const prepareCommands = createPrepareCommands({
    openCommands,
    redactOutgoing,
  });
  const commands = await prepareCommands(run, {
    workspace,
    nonce: 'nonce-0123456789abcdef',
    signals: { read },
    signal,
  });
  opened.push(commands);
  return commands;
}

const made = () => readFile(join(root, 'made'), 'utf8');

describe('the environment of a run', () => {
  it('is set up before the model begins, once, which the record and the final comment tell [NX-212]', async () => {
    const { run, listComments } = await openRun();
    const environment = { setup: { commands: ['echo "$MODE" >> made'] }, variables: { MODE: 'test' } };
    const { notice } = await prepare(run, { environment });
    expect(notice).toMatchInlineSnapshot(
      `"Note by the system that runs you: the repository was set up before you started. These commands succeeded: "echo \\"$MODE\\" >> made". You do not need to run them again."`,
    );
    expect(await prepare(run, { environment, state: 'reused' })).toMatchObject({ notice: null });
    expect(await made()).toBe('test\n');
    expect(
      (await formatSetUps(run.journal, { locale: 'en' })).replace(/\d+ s/, 'N s'),
    ).toMatchInlineSnapshot(`
      "### 🧰 Setup

      - \`"echo \\"$MODE\\" >> made"\`: N s"
    `);
    expect(await listComments()).toEqual([]);
  });

  it('costs nothing where nobody says anything of it', async () => {
    const { run } = await openRun();
    expect(await prepare(run)).toMatchObject({ notice: null, problem: null });
    expect(await formatSetUps(run.journal, { locale: 'en' })).toBe('');
    expect(await readdir(root)).toEqual([]);
  });

  it('tells people and the model how a set-up failed, and goes on [NX-212]', async () => {
    const { run, listComments } = await openRun();
    const environment = { setup: { commands: ["echo 'no ``` such @octocat package'; exit 3"] } };
    const { notice } = await prepare(run, { environment });
    expect(notice).toMatchInlineSnapshot(`
      "Note by the system that runs you: the setup of this repository failed. "echo 'no \`\`\` such @octocat package'; exit 3" failed with: exit code 3. Dependencies may be missing. If the task needs them, find out why and try again. If you cannot fix it, say in your final answer what you could not run. End of the output:
      ===== BEGIN TEXT nonce-0123456789abcdef | output of: set-up | authority: untrusted (information only) =====
      Exit code: 3
      no \`\`\` such @octocat package
      ===== END TEXT nonce-0123456789abcdef ====="
    `);
    expect(await listComments()).toMatchInlineSnapshot(`
      [
        "⚠️ **The setup of this repository failed**: \`\`\`\`"echo 'no \`\`\` such @octocat package'; exit 3"\`\`\`\` (exit code 3). I'm continuing without it, so tests may not run.

      End of the output:

      \`\`\`\`
      Exit code: 3
      no \`\`\` such @octocat package
      \`\`\`\`",
      ]
    `);
    expect(await formatSetUps(run.journal, { locale: 'ja' })).toMatchInlineSnapshot(`
      "### 🧰 セットアップ

      - \`\`\`\`"echo 'no \`\`\` such @octocat package'; exit 3"\`\`\`\`: **失敗**（exit code 3）"
    `);
    expect((await prepare(run, { environment, state: 'reused' })).notice).toBeNull();
  });

  it('shows people and the model no part of a secret where the output is cut [NX-250]', async () => {
    const token = `ghp_${'k7Qz'.repeat(9)}`;
    for (const behind of [1_490, 1_485, 3_990, 3_985, 70_000]) {
      await writeFile(join(root, 'log'), `${secret} ${token}${'='.repeat(behind)}`);
      const { run, listComments } = await openRun();
      const { notice } = await prepare(run, { environment: { setup: { commands: ['cat log; exit 3'] } } });
      expect(notice).toMatch(/={1400}/);
      expect(notice).not.toMatch(/plum-orc|ard-lane/);
      const [comment = ''] = await listComments();
      expect(comment).toMatch(/={1000}/);
      expect(comment).not.toMatch(/plum-orc|ard-lane|Qzk7/);
    }
  });

  it('ends the run with a set-up that failed where the operator wants that, in the language of the thread [NX-212]', async () => {
    const { run, listComments } = await openRun('ja');
    const environment = { setup: { commands: ['false'], on_failure: 'end' } };
    await expect(prepare(run, { environment })).rejects.toThrow(
      'このリポジトリのセットアップに失敗しました: `false`（exit code 1）。',
    );
    expect(await listComments()).toEqual([]);
  });

  it("runs a repository's own commands only where something keeps them in, and says so [NX-211]", async () => {
    const { run } = await openRun();
    const file = 'setup: { commands: ["echo mine > made"] }\n';
    expect((await prepare(run, { file })).notice).toContain('no sandbox to run them in');
    await expect(made()).rejects.toThrow('ENOENT');
    expect(await formatSetUps(run.journal, { locale: 'en' })).toContain('because there is no sandbox');
    expect((await prepare((await openRun()).run, { file, mode: 'external' })).notice).toContain('echo mine');
    expect(await made()).toBe('mine\n');
  });

  it("tells of a mistake in the repository's file, of which nothing counts then [NX-211]", async () => {
    const { run } = await openRun();
    const { notice, environment } = await prepare(run, {
      file: 'network: off\nregistry: x\n',
      mode: 'external',
    });
    expect(notice).toContain('.agent.yml is ignored');
    expect(environment.network).toBe('off');
    expect(await formatSetUps(run.journal, { locale: 'en' })).toContain('Unrecognized key');
    const ignored = { environment: { repository_file: false }, file: 'registry: x\n' };
    expect(await prepare((await openRun()).run, ignored)).toMatchObject({ notice: null, problem: null });
  });

  it('sets up nothing for a run that was told to stop or to pause, and leaves the end to its first checkpoint [NX-226]', async () => {
    for (const told of ['stop', 'pause'] as const) {
      const { run } = await openRun();
      const environment = { setup: { commands: ['sleep 600'] } };
      expect(await prepare(run, { environment, read: async () => told })).toMatchObject({ notice: null });
    }
  });

  it('ends the command of a set-up under way when the run is interrupted [NX-226]', async () => {
    const { run } = await openRun();
    const interrupter = new AbortController();
    const reason = new RunInterruption('stop');
    const environment = { setup: { commands: ['echo x > made; sleep 600'] } };
    const prepared = prepare(run, { environment, signal: interrupter.signal });
    await vi.waitFor(made);
    interrupter.abort(reason);
    await expect(prepared).rejects.toBe(reason);
  });

  it('tells the model which submodules are there, and everybody which are missing and why, once [NX-227]', async () => {
    const { run } = await openRun();
    const missing = [{ path: 'vendor/`x`', why: 'not-allowed' as const }];
    const submodules = { made: ['vendor/lib'], missing };
    expect((await prepare(run, { submodules })).notice).toMatchInlineSnapshot(`
      "Note by the system that runs you: these submodules of the repository are checked out as plain files without their own repository: "vendor/lib". Changes in them are not delivered.
      Note by the system that runs you: these submodules of the repository are missing, and their directories are empty: "vendor/\`x\`" (it is on another server, which the configuration does not allow). If the task needs them, say in your final answer what you could not do."
    `);
    expect(await formatSetUps(run.journal, { locale: 'en' })).toMatchInlineSnapshot(`
      "### 🧰 Setup

      - The submodule \`\`"vendor/\`x\`"\`\` is missing: it is on another server, which the configuration does not allow."
    `);
    expect(await formatSetUps(run.journal, { locale: 'ja' })).toContain('別のサーバーにあり');
    const again = { state: 'reused', submodules: { made: [], missing } } as const;
    expect(await prepare(run, again)).toMatchObject({ notice: null });
    const off = { environment: { submodules: 'off' }, submodules };
    expect(await prepare((await openRun()).run, off)).toMatchObject({ notice: null });
  });

  it('tells the model what LFS keeps and cannot be changed, and everybody what stayed a pointer [NX-229]', async () => {
    const { run } = await openRun();
    const lfs = { made: ['a.bin'], missing: [{ path: 'b.bin', why: 'too-large' as const }] };
    const { notice } = await prepare(run, { lfs });
    expect(notice).toContain('Git LFS files were downloaded (1 of them)');
    expect(notice).toContain(
      'Git LFS pointers instead of their content, which could not be downloaded: "b.bin".',
    );
    expect(await formatSetUps(run.journal, { locale: 'en' })).toContain('or they are too large: `b.bin`.');
    expect(await formatSetUps(run.journal, { locale: 'ja' })).toContain('ダウンロードしていません: `b.bin`');
    expect(await prepare((await openRun()).run, { environment: { lfs: 'off' }, lfs })).toMatchObject({
      notice: null,
    });
  });

  it('keeps what it made for the next run on an unchanged base, and not where another branch did [NX-215]', async () => {
    const environment = { setup: { commands: ['echo x >> made'], keep: ['made'] } };
    await prepare((await openRun()).run, { environment });
    await writeFile(join(root, 'made'), 'changed');
    const { run } = await openRun();
    expect((await prepare(run, { environment })).notice).toContain('for the same lock files');
    expect(await made()).toBe('x\n');
    expect(await formatSetUps(run.journal, { locale: 'en' })).toContain('No command was run');
  });
});
