import { describe, expect, it } from 'vitest';
import type { JournalEntry } from './model.ts';
import { replayJournal } from './replay-journal.ts';

function line(seq: number, role: 'system' | 'user' | 'assistant', opens?: number): JournalEntry {
  const message = { role, content: `${role} ${seq}` };
  const timestamp = '2026-01-01T00:00:00.000Z';
  return { type: 'message', seq, timestamp, message, usage: null, ...(opens ? { opens } : {}) };
}

const summary = (startSeq: number, endSeq: number): JournalEntry => ({
  type: 'summary',
  summary: { startSeq, endSeq, text: `${startSeq} to ${endSeq}` },
});

const contents = (entries: JournalEntry[]) =>
  replayJournal(entries)?.context.map(({ message }) => message.content);

describe('replayJournal', () => {
  it('finds nothing in an empty journal, nor in an opening that was cut short', () => {
    expect(replayJournal([])).toBeNull();
    expect(replayJournal([line(1, 'system', 3), line(2, 'user')])).toBeNull();
  });

  it('begins at the last opening', () => {
    const entries = [line(1, 'system', 3), line(2, 'user'), line(3, 'system', 2), line(4, 'user')];
    expect(replayJournal(entries)?.instructions).toBe('system 3');
    expect(contents(entries)).toEqual(['user 4']);
  });

  it('puts summaries in the place of what they stand for, and keeps the system prompt', () => {
    const entries = [
      line(1, 'system', 2),
      line(2, 'user'),
      line(3, 'assistant'),
      summary(1, 3),
      line(4, 'user'),
    ];
    expect(replayJournal(entries)?.instructions).toBe('system 1');
    expect(contents(entries)).toEqual(['1 to 3', 'user 4']);
  });

  it('lets a summary of summaries stand alone', () => {
    const entries = [
      line(1, 'system', 2),
      line(2, 'user'),
      summary(2, 2),
      line(3, 'assistant'),
      line(4, 'user'),
      summary(2, 3),
    ];
    expect(contents(entries)).toEqual(['2 to 3', 'user 4']);
  });
});
