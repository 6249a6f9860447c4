import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import { CommentDetectionManager, createCommentInbox } from './index.ts';
import { createCommentMailbox, createFileJournal, createMemoryJournal } from './mailbox/index.ts';
import { generateWithComments } from './plain/index.ts';
import { createCommentPrepareStep } from './prepare-step/index.ts';
import { createCommentSource } from './sources/index.ts';

const { source } = new TestThread();
const manager = new TestThread().manager();
const journal = createMemoryJournal();
const mailbox = createCommentMailbox(source, { journal, botUsername: 'agent', authorityOf: () => 'trusted' });
const octokit = { request: async () => ({ data: [], headers: {} }) };
const gitlab = { IssueNotes: {} };

/** Calls with options that are wrong, as a program in JavaScript can write them. */
const calls: readonly (readonly [string, (wrong: never) => unknown, unknown])[] = [
  [
    'CommentDetectionOptions.maxBodyChars must be',
    (wrong) => new CommentDetectionManager(source, wrong),
    { maxBodyChars: '100' },
  ],
  [
    'CommentDetectionOptions.startedAt must be',
    (wrong) => new CommentDetectionManager(source, wrong),
    { startedAt: 'yesterday' },
  ],
  [
    'CommentDetectionOptions.botUserName is unknown. Did you mean botUsername?',
    (wrong) => new CommentDetectionManager(source, wrong),
    { botUserName: 'a' },
  ],
  ['CommentDetectionOptions must be an object', (wrong) => new CommentDetectionManager(source, wrong), null],
  [
    'CommentInboxOptions.onComands is unknown. Did you mean onCommands?',
    (wrong) => createCommentInbox(source, wrong),
    { onComands: () => {} },
  ],
  [
    'CommentInboxOptions.commands must be',
    (wrong) => createCommentInbox(source, wrong),
    { commands: ['stop now'] },
  ],
  [
    'CommentMailboxOptions.journal must be',
    (wrong) => createCommentMailbox(source, wrong),
    { botUsername: 'a' },
  ],
  [
    'CommentMailboxOptions.checkInterval is unknown',
    (wrong) => createCommentMailbox(source, wrong),
    { journal, checkInterval: 2 },
  ],
  ['TakeOptions.maxTokens must be', (wrong) => mailbox.take(wrong), { maxTokens: '7000' }],
  ['The ids of acknowledge must be', (wrong) => mailbox.acknowledge(wrong), 'a1'],
  ['The path of createFileJournal must be', (wrong) => createFileJournal(wrong), { path: 'a' }],
  ['The options of takeDelivery.barrier must be', (wrong) => manager.takeDelivery(wrong), { barrier: 'yes' }],
  [
    'The options of checkForChanges.barier is unknown',
    (wrong) => manager.checkForChanges(wrong),
    { barier: true },
  ],
  [
    'The options of composeDelivery.maxBodyChars must be',
    (wrong) => manager.composeDelivery(wrong),
    { maxBodyChars: 0 },
  ],
  ['DetectionStateOptions.appliedSeq must be', (wrong) => manager.toState(wrong), { appliedSeq: '7' }],
  [
    'GenerateWithCommentsOptions.manager must be',
    (wrong) => generateWithComments(async () => ({}) as never, wrong),
    { call: {} },
  ],
  [
    'CommentPrepareStepOptions.onDeliver is unknown',
    (wrong) => createCommentPrepareStep(manager, wrong),
    { onDeliver: () => {} },
  ],
  [
    'GitHubThread.number must be a whole number of at least 1; it is "1"',
    (wrong) => createCommentSource(octokit, wrong),
    { owner: 'o', repo: 'r', number: '1' },
  ],
  [
    'GitHubThread.issue_number is unknown. Did you mean number?',
    (wrong) => createCommentSource(octokit, wrong),
    { owner: 'o', repo: 'r', issue_number: 2 },
  ],
  [
    'GitHubThread.include must be',
    (wrong) => createCommentSource(octokit, wrong),
    { owner: 'o', repo: 'r', number: 1, include: ['notes'] },
  ],
  [
    'GitLabThread.issueIid must be',
    (wrong) => createCommentSource(gitlab as never, wrong),
    { projectId: 5, issueIid: '7' },
  ],
  [
    'GitLabThread must have either issueIid or mergeRequestIid',
    (wrong) => createCommentSource(gitlab as never, wrong),
    { projectId: 5 },
  ],
];

describe('wrong options', () => {
  it.each(calls)('are a TypeError: %s', async (message, call, wrong) => {
    const given = async () => call(wrong as never);
    await expect(given()).rejects.toThrow(TypeError);
    await expect(given()).rejects.toThrow(message);
  });
});

describe('ids of the own account', () => {
  it.each([5, '5'])('are numbers or texts: %o', async (botId) => {
    const thread = new TestThread();
    const own = thread.manager({ botUsername: null, botId });
    expect(own.isBotComment(thread.say('1', { author: { id: '5', login: 'agent' } }))).toBe(true);
    expect(own.isBotComment(thread.say('2', { author: { id: '6', login: 'bob' } }))).toBe(false);
  });
});

describe('takeDelivery', () => {
  it('needs no options', async () => {
    const thread = new TestThread();
    expect(await thread.manager().takeDelivery()).toMatchObject({ status: 'checked', delivery: null });
  });
});

describe('a command that is listed with its slash', () => {
  it('is run', async () => {
    const thread = new TestThread();
    const stopped: string[] = [];
    const inbox = createCommentInbox(thread.source, {
      ...thread.options(),
      commands: ['/stop'],
      onCommands: async ({ commands }) => void stopped.push(...commands.map(({ name }) => name)),
      tellCommand: ({ name }) => `(${name}: applied)`,
    });
    await inbox.manager.initialize();
    thread.pass();
    thread.say('1', { body: '/stop' });
    const { delivery } = await inbox.takeDelivery({ barrier: false });
    expect(stopped).toEqual(['/stop']);
    expect(delivery?.text).toBe('[New Comment from @alice]:\n(/stop: applied)');
  });
});

describe('a cleanText that returns no text', () => {
  it('fails with a TypeError that says what to use', async () => {
    const thread = new TestThread();
    const manager = thread.manager({ cleanText: ((text: string) => ({ text })) as never });
    await manager.initialize();
    thread.pass();
    thread.say('1');
    await expect(manager.takeDelivery()).rejects.toThrow(
      'The result of cleanText must be a text, such as that of cleanText of @agent/text; it is an object (text).',
    );
  });
});
