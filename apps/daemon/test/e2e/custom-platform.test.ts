import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel, withFinalSummaries } from '@agent/simulators/model';
import { afterEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function prepare(adapter: string, section: { readonly trigger?: string } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'custom-platform-'));
  const model = await startScriptedModel({
    script: withFinalSummaries(() => ({ text: 'The answer is 42.' })),
  });
  closing.push(model.close, () => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'adapter.mjs'), adapter);
  const config = {
    platforms: {
      board: { module: './adapter.mjs', options: { question: 'What is 40 + 2?' }, ...section },
    },
    llm: { base_url: model.baseUrl, model: 'scripted-model', max_retries: 0 },
    planning: { enabled: false },
  };
  const file = join(directory, 'agent.config.yaml');
  await writeFile(
    file,
    stringify({ ...config, tools: { run_command: { sandbox: 'off', allow_root: true } } }),
  );
  const run = async () => ({
    ...(await startDaemonProcess(file, { nodeArguments: quickWaits }).exited),
    requests: model.requests.length,
  });
  return { directory, run };
}

async function runWith(...prepared: Parameters<typeof prepare>) {
  return (await prepare(...prepared)).run();
}

/** The least that an adapter can be: no packages, no account, no labels, no repository; what it writes, it prints. */
const least = `
  export default ({ name, options }) => {
    const key = { type: 'custom', platform: name, project: 'questions', id: '1' };
    const common = { key, number: 1, title: options.question, labels: [], author: null, url: 'board:1' };
    const comments = [];
    const updatedAt = () => new Date(Date.UTC(2026, 0, 1, 0, comments.length)).toISOString();
    return {
      tasks: { listTasks: async () => ({ tasks: [{ ...common, updatedAt: updatedAt() }], failures: [] }) },
      openThread: () => ({
        reader: { readThread: async () => ({
          ...common, id: '1', body: '', assignees: [], state: 'open', commentCount: comments.length,
          createdAt: '2026-01-01T00:00:00Z', updatedAt: updatedAt(), confidential: false, changeRequest: null,
        }) },
        comments: { listComments: async () => ({ comments: [], complete: true, cursor: null, unchanged: false }) },
        writer: { ensureComment: async ({ topic, body }) => {
          comments.push(body);
          console.log('WRITTEN ' + topic + ': ' + body.replaceAll('\\n', ' '));
          return { id: String(comments.length), url: null, change: 'created' };
        } },
      }),
    };
  };`;

it('answers on a platform with nothing but the required roles, once [NX-9]', async () => {
  const { code, output, requests } = await runWith(least);
  expect(code).toBe(0);
  expect(output.match(/WRITTEN run:[^:]+:final: .*The answer is 42\./g)).toHaveLength(1);
  // One for the answer, one for the final summary.
  expect(requests).toBe(2);
  expect(output).toContain(
    '"without":["labels","labelEvents","history","assignees","permissions","repository","changeRequests","reactions","ownComments"]',
  );
});

/**
 * The least with the role that says who changed a thread, the one that changes who is assigned, and rights to ask for; its
 * thread is there as soon as the file `asked` is.
 */
const given = `import { existsSync } from 'node:fs';${least}`
  .replace('({ name, options })', '({ name, options, directory })')
  .replace(
    'openThread: () => ({',
    `openThread: () => ({
      history: {
        lastAssigned: async () => ({ actor: ann, at: '2026-01-01T00:00:00Z', editsSince: [] }),
        listEdits: async () => [],
      },
      assignees: { assign: async () => {}, unassign: async () => { assigned = false; console.log('UNASSIGNED'); } },
      permissions: { accessOf: async ({ id }) => (id === 'ann' ? 'write' : 'none') },`,
  )
  .replace(
    'const comments = [];',
    `const comments = [];
    const ann = { id: 'ann', login: 'ann', kind: 'person' };
    const own = { id: 'agent-daemon', login: 'agent-daemon', kind: 'bot' };
    const createdAt = new Date().toISOString();
    let assigned = true;`,
  )
  .replace(
    "body: '', assignees: [],",
    "body: '@agent-daemon please', author: ann, assignees: assigned ? [own] : [],",
  )
  .replace("createdAt: '2026-01-01T00:00:00Z',", 'createdAt,')
  .replace('Date.UTC(2026, 0, 1, 0, comments.length)', 'Date.parse(createdAt) + comments.length')
  .replace(
    'listTasks: async () => ({ tasks: [{ ...common, updatedAt: updatedAt() }], failures: [] })',
    `listTasks: async ({ assignee }) => ({
      tasks: existsSync(directory + '/asked') && (assignee === null || assigned) ? [{ ...common, updatedAt: updatedAt() }] : [], failures: [],
    })`,
  );

it.each([
  ['mention', 0],
  ['assignment', 1],
])(
  'works on a thread that is given by trigger: %s, where the adapter can [NX-74]',
  async (trigger, unassigned) => {
    const { directory, run } = await prepare(given, { trigger });
    expect((await run()).output).not.toContain('WRITTEN');
    await writeFile(join(directory, 'asked'), '');
    const { code, output } = await run();
    expect(output).toMatch(/WRITTEN run:[^:]+:final: .*The answer is 42\./);
    expect(code).toBe(0);
    expect(output.match(/^UNASSIGNED$/gm) ?? []).toHaveLength(unassigned);
  },
);

it('does not start with a trigger that needs a role which the adapter lacks [NX-74]', async () => {
  const { code, output } = await runWith(least, { trigger: 'mention' });
  expect(code).toBe(1);
  expect(output).toContain('agent-daemon: platforms.board.trigger: mention needs the role history');
});

it.each([
  [
    'lacks a role',
    'export default () => ({ tasks: { listTasks() {} }, openThread: () => ({ reader: {} }) });',
    'agent-daemon: The adapter of platforms.board lacks reader.readThread, comments.listComments, writer.ensureComment in what openThread returned. docs/guides/write-an-adapter.md says what each is for.',
  ],
  [
    'throws',
    "export default () => { throw new Error('no board here'); };",
    'could not make a platform: no board here',
  ],
  ['is no module', 'export default (', 'adapter.mjs could not be loaded:'],
])('says why it does not start with an adapter that %s [NX-9]', async (_, adapter, message) => {
  const { code, output } = await runWith(adapter);
  expect(code).toBe(1);
  expect(output).toContain(message);
  expect(output).not.toMatch(/^\s+at /m);
});

it('says which adapter failed while it looked for tasks, and ends with exit code 1 [NX-9]', async () => {
  const broken = least.replace(
    'listTasks: async () => (',
    "listTasks: async () => (() => { throw new TypeError('x is not y'); })() ?? (",
  );
  const { code, output } = await runWith(broken);
  expect(code).toBe(1);
  expect(output).toContain('The adapter of platforms.board failed in tasks.listTasks: x is not y');
});
