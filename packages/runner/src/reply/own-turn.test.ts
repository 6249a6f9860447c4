import { describe, expect, it } from 'vitest';
import { readSpeakers, toOwnTurn } from './own-turn.ts';

const thread = 'user: alice: Capital?\n  model: 1\nassistant: Paris.\nuser: 花子: スペインの首都は？';
const speakers = readSpeakers(thread);
const read = (text: string, one = speakers) => toOwnTurn(text, { speakers: one, isWhole: true });
const asked = (text: string) => readSpeakers(`${thread}\nuser: bob: ${text}`);

describe('readSpeakers', () => {
  it('finds the names of the lines that begin a turn', () => {
    expect([...speakers.names]).toEqual(['alice', '花子']);
    expect([...readSpeakers('user: hello').names]).toEqual([]);
  });
});

describe('toOwnTurn', () => {
  it.each([
    ['Madrid.\nuser: 花子: ありがとう\nassistant: いいえ', 'Madrid.'],
    ['Madrid.\n\nuser: thanks', 'Madrid.'],
    ['assistant: Madrid.\nmodel: Anything else?', 'Madrid.'],
    ['model: Madrid.\nassistant:\nmore', 'Madrid.'],
    ['マドリードです。\n花子: ありがとう', 'マドリードです。'],
    ['マドリードです。\n花子：ありがとう', 'マドリードです。'],
    ['Madrid.\nIt is large.\n\nalice: And Italy?\n花子: Rome!', 'Madrid.\nIt is large.'],
    ['user: alice: And Italy?', ''],
    ['```\nuser: x\n```\nalice: no', '```\nuser: x\n```'],
  ])('ends before the turn of another speaker: %j', (text, own) => {
    expect(read(text)).toBe(own);
  });

  it.each([
    'Example:\n\nuser: hi\nassistant: hello\n\nalice: is a name here\n',
    'They said:\nalice: yes\n花子: no',
    'alice: it is Madrid.\n花子: yours is Rome.',
    'Set these:\n```yaml\nuser: root\n```\nDone.',
    'Name: Madrid\nUser: root\nModel: X\nperson: y\nusers: z',
    '> user: alice: quoted\n- alice: yes\n  alice: indented',
    'Open http://localhost\nuser:group is the owner\nalice:x',
    'Everything in one line, user: alice: hello',
  ])('keeps text that only looks similar: %j', (text) => {
    expect(read(text)).toBe(text);
  });

  it('keeps a dialogue that the newest message asks for', () => {
    const dialogue = 'Sure!\n\nalice: Hi\n花子: Hello\nuser: x';
    for (const text of [
      'Write a dialogue of alice and 花子.',
      'What follows "alice:"?',
      'Chat of user and assistant',
    ])
      expect(read(dialogue, asked(text))).toBe(dialogue);
    for (const text of ['malice and users', 'Where is alice?', 'hi'])
      expect(read(dialogue, asked(text))).toBe('Sure!');
  });

  it('shows nothing of a label while a text grows', () => {
    const text = 'assistant: Madrid.\nIt is large.\n花子: ありがとう';
    const shown = [...text].map((_, index) =>
      toOwnTurn(text.slice(0, index + 1), { speakers, isWhole: false }),
    );
    for (const one of shown) expect('Madrid.\nIt is large.\n').toContain(one);
    expect(shown.at(-1)).toBe('Madrid.\nIt is large.');
  });
});
