import type { RunLimits, RunTaskOptions } from './run-options.ts';

const methods = {
  journal: ['append', 'read', 'replaceContext'],
  signals: ['read'],
  comments: ['takeDelivery', 'markDelivered'],
  compressor: ['compress'],
} as const;

/**
 * What a caller forgot is told at once, by its name, and not where it is first used.
 * @throws {TypeError} for an option that is missing or of another kind
 */
export function checkRunOptions(options: RunTaskOptions): void {
  if (!isThing(options))
    throw new TypeError('runTask needs its options: model, tools, journal and openConversation.');
  if (typeof options.openConversation !== 'function') throw missing('openConversation', 'a function');
  if (!isThing(options.model)) throw missing('model', 'a model of the AI SDK');
  if (!isThing(options.tools)) throw missing('tools', 'an object of RunTools by their names, perhaps empty');
  for (const [name, functions] of Object.entries(methods)) {
    const port: unknown = options[name as keyof typeof methods];
    if (name !== 'journal' && (port === undefined || port === null)) continue;
    const absent = functions.find(
      (one) => typeof (port as Record<string, unknown> | null)?.[one] !== 'function',
    );
    if (absent !== undefined) throw missing(name, `an object with the function ${absent}`);
  }
}

/** A limit that is no number from 0 is of no use: its default is taken, and it is told to `onUseless`. */
export function toUsefulLimits(limits: RunLimits, onUseless: (name: string) => void): RunLimits {
  const entries = Object.entries(limits).filter(([name, value]) => {
    const isUseful = value === null || value === undefined || (typeof value === 'number' && value >= 0);
    if (!isUseful) onUseless(`limits.${name}`);
    return isUseful;
  });
  return Object.fromEntries(entries);
}

function isThing(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || (typeof value === 'string' && value !== '');
}

function missing(name: string, kind: string): TypeError {
  return new TypeError(`runTask needs the option "${name}": ${kind}.`);
}
