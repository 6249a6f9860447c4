import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ContextStoreError } from '../src/context-store-error.ts';
import { createFileRunStore } from '../src/file/file-run-store.ts';
import type { OpenRun, RecordOwner } from '../src/ports.ts';
import {
  makeDirectory,
  newRun,
  parseMessage,
  says,
  type TestMessage,
  toArray,
} from '../src/testing/store-setup.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';

/** One history of a run: what was acknowledged, and by whom it is written. */
class History {
  readonly #directory: string;
  #highest = 0;
  #texts: string[] = [];
  #count = 0;
  #run: OpenRun<TestMessage> | null = null;
  #zombie: OpenRun<TestMessage> | null = null;
  /** What was damaged since it was opened; null for nothing. */
  #damaged: string | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(): Promise<void> {
    const number = ++this.#highest;
    const guard: RecordOwner['guard'] = async (write) => {
      if (number === this.#highest) return write();
      throw new ContextStoreError('a higher number stands', { code: 'owned' });
    };
    const store = createFileRunStore({
      baseDirectory: this.#directory,
      parseMessage,
      owner: { number, guard },
    });
    this.#zombie = this.#run;
    this.#run = await store.open(newRun(uuid));
    this.#checkDamage(this.#run.damage !== null);
    this.#damaged = null;
    await this.check();
  }

  async append(): Promise<void> {
    const text = `line ${++this.#count}`;
    if (this.#count % 3 === 0)
      await this.#opened.journal.append({ type: 'fact', name: 'observed', data: { text } });
    else await this.#opened.journal.append(says('user', text));
    this.#texts.push(text);
  }

  /** Dies in the middle of a write: nothing of it was acknowledged. */
  async crash(): Promise<void> {
    await appendFile(this.#path, '{"seq":99,"role":"user","con');
    await this.open();
  }

  /** A process that was replaced wakes and writes. */
  async wake(): Promise<void> {
    const late = this.#zombie?.journal.append(says('user', 'too late'));
    if (late !== undefined) await expect(late).rejects.toMatchObject({ code: 'owned' });
  }

  /** A letter of a line changes, while nobody runs. */
  async harm(at: number): Promise<void> {
    const text = this.#texts[at % Math.max(1, this.#texts.length)];
    if (text === undefined) return;
    const record = await readFile(this.#path, 'utf8');
    await writeFile(this.#path, record.replace(`"${text}"`, `"${text.replace('line', 'lime')}"`));
    this.#texts = this.#texts.slice(0, this.#texts.indexOf(text));
    this.#damaged = text;
    await this.open();
  }

  async check(): Promise<void> {
    const entries = await toArray(this.#opened.journal.read());
    const texts = entries.map((entry) =>
      entry.type === 'message' ? entry.message.content : entry.type === 'fact' && entry.data,
    );
    expect(texts).toEqual(this.#texts.map((text) => (Number(text.slice(5)) % 3 === 0 ? { text } : text)));
  }

  #checkDamage(isTold: boolean): void {
    if (this.#damaged !== null) expect(isTold).toBe(true);
  }

  get #opened(): OpenRun<TestMessage> {
    if (this.#run === null) throw new Error('nobody has opened the run');
    return this.#run;
  }

  get #path(): string {
    return join(this.#directory, 'running', uuid, 'messages.jsonl');
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant(['append'] as const) },
  { weight: 1, arbitrary: fc.constant(['crash'] as const) },
  { weight: 1, arbitrary: fc.constant(['open'] as const) },
  { weight: 1, arbitrary: fc.constant(['wake'] as const) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('harm' as const), fc.nat({ max: 20 })) },
);

it('any history of appends, crashes, takeovers, late writers and damage keeps what was acknowledged, in order and once [NX-82]', {
  timeout: 300_000,
}, async () => {
  const { path, remove } = await makeDirectory();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await rm(join(path, 'running'), { recursive: true, force: true });
      const history = new History(path);
      await history.open();
      for (const [act, at = 0] of steps) await history[act](at);
      await history.check();
    }),
    { numRuns: Number(process.env.HISTORIES ?? 100) },
  );
  await remove();
});
