import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConversationFileError, parseConversations } from './parse-conversations.ts';
import { readArguments } from './read-arguments.ts';

const task = { do: 'task', name: 'one', text: 'Work.', turns: 3 };
const said = { do: 'say', turn: 1, id: 'a', by: 'ada', text: 'In euros.' };
const parse = (...lines: readonly (object | string)[]) =>
  parseConversations(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    { file: 'own.jsonl' },
  );

describe('parseConversations', () => {
  it('reads several conversations, each from its task on, and passes over empty lines [NX-291]', () => {
    const edited = { do: 'edit', turn: 2, id: 'a', text: 'In dollars.' };
    const deleted = { do: 'delete', turn: 3, id: 'a' };
    expect(parse(task, said, '', edited, deleted, { ...task, name: 'two' })).toEqual([
      { name: 'one', task: 'Work.', turns: 3, acts: [said, edited, deleted] },
      { name: 'two', task: 'Work.', turns: 3, acts: [] },
    ]);
  });

  it.each([
    ['a line that is no JSON', [task, '{"do":'], 'line 2, field (the line): is no JSON'],
    ['an unknown act', [task, { ...said, do: 'shout' }], 'line 2, field do: '],
    ['a field that is missing', [task, { ...said, by: undefined }], 'line 2, field by: '],
    ['a field that is not known', [task, { ...said, at: 3 }], 'line 2, field at: '],
    ['a text that says nothing', [task, { ...said, text: ' ' }], 'line 2, field text: has to say something'],
    ['no task at the beginning', [said], 'line 1, field do: a conversation begins with'],
    ['a second conversation of one name', [task, task], 'line 2, field name: there is a conversation "one"'],
    [
      'a turn behind the last',
      [task, { ...said, turn: 4 }],
      'line 2, field turn: the conversation has 3 turns',
    ],
    [
      'a line out of its time',
      [task, { ...said, turn: 2 }, { ...said, id: 'b', text: 'Other words.' }],
      'line 3, field turn: comes after a line of turn 2',
    ],
    [
      'a comment of one name',
      [task, said, { ...said, text: 'Other' }],
      'line 3, field id: there is a comment "a"',
    ],
    [
      'an edit of nothing',
      [task, { do: 'edit', turn: 1, id: 'z', text: 'Other' }],
      'line 2, field id: no comment',
    ],
    [
      'an edit of what was deleted',
      [task, said, { do: 'delete', turn: 1, id: 'a' }, { do: 'edit', turn: 2, id: 'a', text: 'Other' }],
      'line 4, field id: no comment "a" stands there',
    ],
    [
      'a text that stands in another',
      [task, said, { ...said, id: 'b', text: 'In euros. Really.' }],
      'line 3, field text: holds another text, or stands in it: "In euros."',
    ],
    ['no conversation', [''], 'own.jsonl: there is no conversation in it'],
  ])('refuses %s, and names file, line and field [NX-291]', (_, lines, problem) => {
    expect(() => parse(...lines)).toThrow(ConversationFileError);
    expect(() => parse(...lines)).toThrow(problem);
  });

  it('reads the conversations that lie beside it [NX-291]', () => {
    const file = new URL('./recorded/threads.jsonl', import.meta.url);
    const conversations = parseConversations(readFileSync(file, 'utf8'), { file: 'threads.jsonl' });
    const acts = conversations.flatMap((conversation) => conversation.acts);
    expect(new Set(acts.map((act) => act.do))).toEqual(new Set(['say', 'edit', 'delete']));
    const isLast = conversations.map(({ turns, acts: own }) => own.some(({ turn }) => turn === turns));
    expect(isLast).toContain(true);
  });
});

describe('readArguments', () => {
  it('has a default for each, and names the one that is wrong [NX-291]', () => {
    expect(readArguments([])).toEqual({ seed: 1, rounds: 1, file: null, only: null, opencode: false });
    expect(readArguments(['--file', 'own.jsonl', '--seed', '7']).file).toBe('own.jsonl');
    expect(() => readArguments(['--rounds', '0'])).toThrow('--rounds takes a whole number from 1');
    expect(() => readArguments(['--seed', 'x'])).toThrow('--seed takes a whole number from 0');
    expect(() => readArguments(['--kills', '3'])).toThrow('--kills');
  });
});
