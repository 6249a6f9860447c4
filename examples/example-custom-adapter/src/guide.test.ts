import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TaskKey } from '@agent/platforms';
import type { AdapterArguments, AdapterPlatform } from '@agent/platforms/custom';
import {
  commentSourceContract,
  commentWriterContract,
  contractWorld,
  identityContract,
  type PlatformFixture,
  type PortFixtures,
  taskFinderContract,
  threadReaderContract,
  toPortFixtures,
} from '@agent/platforms/testing';
import { describe, expect, it } from 'vitest';

interface Task {
  readonly number: number;
  readonly author: string;
  readonly title: string;
  readonly body: string;
  readonly createdAt: string;
  state: string;
  labels: readonly string[];
  assignees: readonly string[];
  comments: readonly {
    id: string;
    author: string;
    body: string;
    createdAt: string;
    updatedAt: string | null;
  }[];
}
type Arguments = Pick<AdapterArguments<{ readonly file: string }>, 'name' | 'options' | 'directory'>;

/** The first block of that language in the guide. */
async function readFromGuide(language: 'js' | 'ts'): Promise<string> {
  const guide = await readFile(new URL('../../../docs/guides/write-an-adapter.md', import.meta.url), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';
}

/** The adapter of the guide, as a reader would copy it. */
async function importFromGuide(directory: string): Promise<(given: Arguments) => AdapterPlatform> {
  const code = await readFromGuide('js');
  const module = join(directory, 'adapter.mjs');
  await writeFile(module, code);
  return (await import(pathToFileURL(module).href)).default;
}

async function createFixture(): Promise<PlatformFixture<AdapterPlatform> & { close: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'guide-'));
  const file = join(directory, 'tasks.json');
  await writeFile(file, '[]');
  let time = Date.parse('2026-01-02T03:04:05Z');
  let written = 0;
  const stamp = () => new Date(time).toISOString();
  const load = async (): Promise<Task[]> => JSON.parse(await readFile(file, 'utf8'));
  const keyOf = (number: number) =>
    ({ type: 'custom', platform: 'notes', project: 'tasks', id: String(number) }) satisfies TaskKey;
  const isOf = (key: TaskKey) => (task: Task) => 'id' in key && String(task.number) === key.id;
  const change = async (key: TaskKey, edit: (task: Task) => void): Promise<void> => {
    const tasks = await load();
    tasks.filter(isOf(key)).forEach(edit);
    await writeFile(file, JSON.stringify(tasks));
  };
  const missing = () => Promise.reject(new Error('a file of tasks has no such thing'));

  const people: PlatformFixture['people'] = {
    openIssue: async ({ author, title, body = '', labels = [], assignees = [] }) => {
      const tasks = await load();
      const number = tasks.length + 1;
      const task = { number, author, title, body, labels, assignees, state: 'open', comments: [] };
      await writeFile(file, JSON.stringify([...tasks, { ...task, createdAt: stamp() }]));
      return keyOf(number);
    },
    openPullRequest: missing,
    pushBranch: missing,
    react: missing,
    reactionsOn: missing,
    closeThread: (key) =>
      change(key, (task) => {
        task.state = 'closed';
      }),
    comment: async (key, { author, body }) => {
      written += 1;
      const comment = { id: String(written), author, body, createdAt: stamp(), updatedAt: null };
      await change(key, (task) => {
        task.comments = [...task.comments, comment];
      });
      return comment.id;
    },
    editComment: (key, id, body) =>
      change(key, (task) => {
        task.comments = task.comments.map((one) =>
          one.id === id ? { ...one, body, updatedAt: stamp() } : one,
        );
      }),
    deleteComment: (key, id) =>
      change(key, (task) => {
        task.comments = task.comments.filter((one) => one.id !== id);
      }),
    commentsOn: async (key) => (await load()).find(isOf(key))?.comments ?? [],
    addLabels: (key, labels) =>
      change(key, (task) => {
        task.labels = [...task.labels, ...labels];
      }),
    labelsOn: async (key) => (await load()).find(isOf(key))?.labels ?? [],
    passTime: async (seconds) => {
      time += seconds * 1_000;
    },
  };
  const key = await people.openIssue(contractWorld.issue);
  const createPlatform = await importFromGuide(directory);
  return {
    platform: createPlatform({ name: 'notes', options: { file: 'tasks.json' }, directory }),
    key,
    missingKey: keyOf(999),
    keyOfChangeRequest: keyOf,
    people,
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

const name = 'the adapter of the guide';
const of =
  <Port extends keyof PortFixtures>(port: Port) =>
  async () => {
    const fixture = await createFixture();
    return { ...toPortFixtures(fixture)[port], close: fixture.close };
  };

describe('the adapter that the guide shows keeps the promises of its roles [NX-9]', () => {
  const noPulls = 'a file of tasks has no pull requests';
  const noMarker = 'the topic stands beside the body, and a file takes any length';
  identityContract({ name, create: of('identity') });
  taskFinderContract({
    name,
    create: of('taskFinder'),
    skip: [{ reason: noPulls, test: 'tells pull requests and issues apart by their keys' }],
  });
  threadReaderContract({
    name,
    create: of('threadReader'),
    skip: [{ reason: noPulls, test: 'reads a pull or merge request with its branches' }],
  });
  commentWriterContract({
    name,
    create: of('commentWriter'),
    skip: [
      { reason: noMarker, test: 'refuses a topic that would break out of its marker' },
      { reason: noMarker, test: 'cuts a body that is too long for the platform, and says so in it' },
    ],
  });
});

commentSourceContract({
  name: 'the folder of tasks',
  create: async () => {
    const fixture = await createFixture();
    return { ...toPortFixtures(fixture).commentSource, close: fixture.close };
  },
});

it('runs the suite that the guide shows as it stands there [NX-9]', async () => {
  const shown = (await readFromGuide('ts')).split('\n').slice(2).join('\n');
  expect(shown).toMatch(/^commentSourceContract\(/);
  expect(await readFile(new URL(import.meta.url), 'utf8')).toContain(shown);
});
