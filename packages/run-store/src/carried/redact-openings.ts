import type { JournalEvent } from '../journal-model.ts';
import type { OpenRun, RunJournal, WholeRunStore } from '../ports.ts';

/** Options of `redactOpenings`. */
export interface RedactOptions {
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** Called after a message was appended, with whether it delivers comments. */
  readonly onMessage: (message: { readonly delivers: boolean }) => Promise<void>;
}

/**
 * Removes secrets from what the model and its tools say before it is written. The run itself continues with what was said; a process that
 * resumes it reads the redacted text. Everything else of a run passed filters of its own.
 */
export function redactOpenings<Message>(
  { open, restore, resume }: RunOpenings<Message>,
  options: RedactOptions,
): RunOpenings<Message> {
  return {
    open: async (...given) => redactRun(await open(...given), options),
    restore: async (uuid) => redactRun(await restore(uuid), options),
    resume: async (uuid) => {
      const run = await resume(uuid);
      return { ...redactRun(run, options), pause: run.pause };
    },
  };
}

type RunOpenings<Message> = Pick<WholeRunStore<Message>, 'open' | 'restore' | 'resume'>;

function redactRun<Message>(run: OpenRun<Message>, options: RedactOptions): OpenRun<Message> {
  return { ...run, journal: redactJournal(run.journal, options) };
}

function redactJournal<Message>(
  journal: RunJournal<Message>,
  { redact, onMessage }: RedactOptions,
): RunJournal<Message> {
  return {
    ...journal,
    append: async (event) => {
      const line = await journal.append(redactEvent(event, redact));
      if (event.type === 'message') await onMessage({ delivers: event.delivers.length > 0 });
      return line;
    },
    replaceContext: (messages, summary) =>
      journal.replaceContext(redactTexts(messages, redact), {
        ...summary,
        text: redact(summary.text),
      }),
    finish: (end, options) =>
      journal.finish({ ...end, finalText: end.finalText === null ? null : redact(end.finalText) }, options),
  };
}

function redactEvent<Message>(
  event: JournalEvent<Message>,
  redact: RedactOptions['redact'],
): JournalEvent<Message> {
  switch (event.type) {
    case 'message':
      return { ...event, message: redactTexts(event.message, redact) };
    case 'tool-started':
      return { ...event, args: redactTexts(event.args, redact) };
    case 'tool-finished': {
      const { failure } = event;
      const args = redactTexts(event.args, redact);
      return { ...event, args, output: redact(event.output), ...(failure && { failure: redact(failure) }) };
    }
    case 'fact':
      return event;
  }
}

/** Values that are no text of the model: a changed value would not be accepted, or not be found again. */
const literal = new Set([
  ...['role', 'type', 'id', 'toolCallId', 'toolName', 'mediaType', 'data', 'image'],
  ...['providerOptions', 'providerMetadata'],
]);

function redactTexts<Value>(value: Value, redact: RedactOptions['redact']): Value;
function redactTexts(value: unknown, redact: RedactOptions['redact']): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    literal.has(key) ? item : redactTexts(item, redact),
  ]);
  return Object.fromEntries(entries);
}
