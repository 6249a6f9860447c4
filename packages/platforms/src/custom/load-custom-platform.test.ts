import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdSerializers } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { loadCustomPlatform } from './load-custom-platform.ts';
import { listMissingRoles } from './to-platform.ts';

let directory: string;
let modules = 0;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'adapters-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Everything that has to be there, and nothing else. */
const roles = {
  tasks: '{ listTasks: async () => ({ tasks: [], failures: [] }) }',
  reader: '{ readThread: async () => ({}) }',
  comments:
    '{ listComments: async () => ({ comments: [], complete: true, cursor: null, unchanged: false }) }',
  writer: "{ ensureComment: async () => ({ id: '1', url: null, change: 'created' }) }",
};

function moduleText({ tasks, ...thread }: Partial<Record<string, string>> = roles, more = ''): string {
  const ports = Object.entries(thread).map(([role, text]) => `${role}: ${text}`);
  return `export default () => ({ tasks: ${tasks ?? 'null'}, ${more} openThread: () => ({ ${ports.join(', ')} }) });`;
}

interface Loading {
  readonly sleep?: () => Promise<unknown>;
  readonly signal?: AbortSignal;
  readonly options?: Record<string, string>;
}

async function load(text: string | null, given: Loading = {}): Promise<Platform> {
  modules += 1;
  const module = `./adapter-${modules}.mjs`;
  if (text !== null) await writeFile(join(directory, module), text);
  const { options = {}, signal = new AbortController().signal, ...rest } = given;
  const environment = { TRACKER_TOKEN: 'secret' };
  return loadCustomPlatform(module, {
    name: 'notes',
    options,
    environment,
    directory,
    logger,
    signal,
    ...rest,
  });
}

/** A clock that is always over: what hangs is given up at once, with no test waiting. */
const hurried = { sleep: async () => undefined };
const key = { type: 'custom', platform: 'notes', project: 'p', id: '1' } as const;

describe('an adapter', () => {
  it('is loaded by configuration, relative to it, with its options and what it may need [NX-9]', async () => {
    const platform = await load(
      `export default async ({ name, options, environment, directory, logger, signal }) => ({
        host: [name, options.path, environment.TRACKER_TOKEN, typeof directory, typeof logger.info, signal.aborted].join('.'),
        tasks: ${roles.tasks}, openThread: () => ({}),
      });`,
      { options: { path: 'here' } },
    );
    expect(platform).toMatchObject({ name: 'notes', host: 'notes.here.secret.string.function.false' });
  });

  it('is told of an answer that does not fit in one text, also where errors are written with their causes [NX-9]', async () => {
    const { tasks } = await load(
      moduleText({ ...roles, tasks: '{ listTasks: async () => ({ tasks: [{}], failures: [] }) }' }),
    );
    const query = { label: 'coding agent', assignee: null, state: 'open' } as const;
    const error: Error = await tasks.listTasks(query).then(
      () => new Error('fits'),
      (thrown) => thrown,
    );
    const { message } = stdSerializers.err(error);
    expect(message).toContain('does not fit');
    expect(message).not.toContain('"path"');
  });

  it('needs to find tasks, read, look at comments and write; what else it lacks is left out [NX-9]', async () => {
    const platform = await load(moduleText());
    expect(platform.host).toBe('notes');
    expect(await platform.identity.whoAmI()).toEqual({
      id: 'agent-daemon',
      login: 'agent-daemon',
      kind: 'bot',
    });
    expect(platform.openThread(key)).toMatchObject({
      labels: null,
      permissions: null,
      repository: null,
      changeRequests: null,
      reactions: null,
    });
    const others = [
      'labelEvents',
      'history',
      'assignees',
      'permissions',
      'repository',
      'changeRequests',
      'reactions',
      'ownComments',
    ];
    expect(listMissingRoles(platform)).toEqual(['labels', ...others]);
    expect(
      listMissingRoles(await load(moduleText({ ...roles, labels: '{ addLabel() {}, removeLabel() {} }' }))),
    ).toEqual(others);
  });

  it('may be made of classes: its functions keep their this', async () => {
    const platform = await load(`
      class Tasks { tasks = []; async listTasks() { return { tasks: this.tasks, failures: [] }; } }
      export default () => ({ tasks: new Tasks(), openThread: () => ({}) });`);
    expect(await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' })).toEqual({
      tasks: [],
      failures: [],
    });
  });
});

describe('a bad adapter', () => {
  it.each([
    ['is not there', null, /platforms\.notes\.module .*adapter-\d+\.mjs could not be loaded: Cannot find/],
    ['does not parse', 'export default {', /could not be loaded/],
    ['throws when it is loaded', "throw new Error('no database')", /could not be loaded: no database/],
    [
      'exports no function',
      'export default {}',
      /no default export that is a function.*write-an-adapter\.md/,
    ],
    [
      'throws when it is called',
      "export default () => { throw new Error('no folder given') }",
      /could not make a platform: no folder given/,
    ],
    [
      'rejects',
      "export default async () => { throw new Error('no folder given') }",
      /could not make a platform: no folder given/,
    ],
    ['makes nothing', 'export default () => undefined', /lacks tasks\.listTasks, openThread in its platform/],
    ['cannot find tasks', moduleText({ ...roles, tasks: '{}' }), /lacks tasks\.listTasks in its platform/],
    [
      'has an identity that does not answer',
      moduleText(roles, 'identity: {},'),
      /lacks identity\.whoAmI in its platform/,
    ],
    [
      'gives a host that no directory can be named after',
      moduleText(roles, "host: '../x',"),
      /gave "\.\.\/x" as its host/,
    ],
  ])('that %s is refused with what to mend [NX-9]', async (_, text, message) => {
    await expect(load(text)).rejects.toThrow(message);
  });

  it('that lacks a role of its threads is refused before any task, with everything it lacks [NX-9]', async () => {
    const platform = await load(
      moduleText({ tasks: roles.tasks, reader: roles.reader, labels: '{ addLabel() {} }' }),
    );
    expect(() => listMissingRoles(platform)).toThrow(
      'lacks comments.listComments, writer.ensureComment, labels.removeLabel in what openThread returned. docs/guides/write-an-adapter.md',
    );
    expect(() => platform.openThread(key)).toThrow('lacks comments.listComments');
  });

  it('whose threads cannot be probed is checked when they are opened', async () => {
    const platform = await load(
      `export default () => ({ tasks: ${roles.tasks}, openThread: () => { throw new Error('not my key') } });`,
    );
    expect(listMissingRoles(platform)).toBeNull();
    expect(() => platform.openThread(key)).toThrow('failed in openThread: not my key');
  });

  it.each([
    ['when it is loaded', 'await new Promise(() => setInterval(() => {}, 1e6).unref());'],
    ['when it is called', 'export default () => new Promise(() => {});'],
  ])('that hangs %s is given up [NX-9]', async (_, text) => {
    await expect(load(text, hurried)).rejects.toThrow(
      /gave no platform within 30 s.*raise platforms\.notes\.timeout_seconds/,
    );
  });

  it('that hangs while the daemon ends is not waited for', async () => {
    const reason = new Error('the end');
    const loading = load('export default () => new Promise(() => {});', {
      signal: AbortSignal.abort(reason),
    });
    await expect(loading).rejects.toBe(reason);
  });

  it('that hangs in whoAmI is given up, and told so [NX-9]', async () => {
    const text = `export default () => ({
      tasks: ${roles.tasks}, openThread: () => ({}),
      identity: { whoAmI: ({ signal }) => new Promise(() => signal.addEventListener('abort', () => { globalThis.heard = signal.reason; })) },
    });`;
    const limits = [new Promise(() => {}), Promise.resolve()];
    const { identity } = await load(text, { sleep: async () => limits.shift() });
    await expect(identity.whoAmI()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('platforms.notes did not answer identity.whoAmI within 30 s'),
    });
    expect((globalThis as { heard?: unknown }).heard).toMatchObject({ code: 'unavailable' });
  });
});
