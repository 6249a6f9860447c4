import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import { readRunRecord } from './read-journal.ts';

async function journalOf(...messages: readonly ModelMessage[]) {
  const journal = createMemoryRunJournal();
  for (const message of messages) {
    await journal.append({ type: 'message', message, usage: null, delivers: [] });
  }
  return journal;
}

const talk: readonly ModelMessage[] = [
  { role: 'system', content: 'SECRET RULES' },
  { role: 'user', content: 'Mend it.' },
  { role: 'assistant', content: 'Mended.' },
];

describe('the record of a run', () => {
  it('tells what was said, without the system prompt', async () => {
    const record = await readRunRecord(await journalOf(...talk), { maxTokens: 1_000 });
    expect(record).toBe('[user]\nMend it.\n\n[assistant]\nMended.');
  });

  it('has a summary in the place of what the model saw only as such, and fits', async () => {
    const long: ModelMessage[] = Array.from({ length: 50 }, (_, index) => ({
      role: index % 2 === 0 ? 'assistant' : 'user',
      content: `answer ${index} ${'x'.repeat(500)}`,
    }));
    const journal = await journalOf(...talk, ...long);
    await journal.replaceContext([], { startSeq: 2, endSeq: 3, text: 'They mended it.' });
    const countTokens = (text: string) => text.length;
    const record = await readRunRecord(journal, { maxTokens: 4_000, countTokens });
    expect(record?.length).toBeLessThanOrEqual(4_000);
    expect(record).toContain('[assistant]\nThey mended it.');
    expect(record).not.toContain('Mend it.');
    expect(record).toContain('answer 49');
  });

  it('is none for a run that never began', async () => {
    expect(await readRunRecord(createMemoryRunJournal(), { maxTokens: 1_000 })).toBeNull();
  });
});
