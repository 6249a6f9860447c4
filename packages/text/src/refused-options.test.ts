import { describe, expect, it } from 'vitest';
import { cleanUntrustedText } from './clean/clean-untrusted-text.ts';
import { parseCommands } from './commands/parse-commands.ts';
import { ErrorEpisodes } from './error-episodes.ts';
import { fitText } from './fit-text.ts';
import { formatTime } from './format-time.ts';
import { createOutgoingGate, createSecretFilters, escapeOutgoingText } from './outgoing/index.ts';
import { removeReasoning } from './reasoning/remove-reasoning.ts';
import { createIssuedSecrets, cutWithoutSecrets } from './secrets/index.ts';
import { localeOf } from './thread-locale.ts';
import { createToLine } from './to-line.ts';
import { withinTimeLimit } from './waiting.ts';
import { createTextWorker } from './worker/text-worker.ts';
import { createEnvelopeCode, wrapToolOutput, wrapUntrustedText } from './wrap-untrusted-text.ts';

const nonce = createEnvelopeCode();
const measure = (text: string) => text.length;
const gate = createOutgoingGate({ secrets: [], places: [] });
const tooLong = () => new Error('too long');

/** Calls with options that are wrong, as a program in JavaScript can write them. */
const calls: readonly (readonly [string, (wrong: never) => unknown, unknown])[] = [
  ['CleanOptions.maxChars must be', (wrong) => cleanUntrustedText('a', wrong), { maxChars: '10' }],
  [
    'CleanOptions.maxChar is unknown. Did you mean maxChars?',
    (wrong) => cleanUntrustedText('a', wrong),
    { maxChar: 1 },
  ],
  ['FitTextOptions.maxSize must be', (wrong) => fitText('a', wrong), { maxSize: Number.NaN, measure }],
  ['FitTextOptions.measure must be', (wrong) => fitText('a', wrong), { maxSize: 1 }],
  ['FormatTimeOptions.seconds must be', (wrong) => formatTime('2026', 'UTC', wrong), { seconds: 'no' }],
  ['LocaleOptions.setting must be', (wrong) => localeOf({ title: '', body: '' }, wrong), { setting: 'fr' }],
  [
    'The options of createToLine.maxChars must be',
    (wrong) => createToLine((text) => text, wrong),
    { maxChars: -1 },
  ],
  ['The options of ErrorEpisodes.now must be', (wrong) => new ErrorEpisodes(wrong), { now: 5 }],
  [
    'EnvelopeOptions.authority must be',
    (wrong) => wrapUntrustedText('a', wrong),
    { author: 'a', authority: true, nonce },
  ],
  ['ToolEnvelopeOptions.tool must be', (wrong) => wrapToolOutput('a', wrong), { nonce }],
  ['ReasoningOptions.startInside is unknown', (wrong) => removeReasoning('a', wrong), { startInside: true }],
  ['IssuedSecretsOptions.atMost must be', (wrong) => createIssuedSecrets([], wrong), { atMost: '32' }],
  [
    'CutOptions.maxChars must be',
    (wrong) => cutWithoutSecrets('a', wrong),
    { hideSecrets: String, maxChars: -1, keep: 'start' },
  ],
  ['The secrets must be', (wrong) => createSecretFilters(wrong), 'a-password-of-9-plums'],
  ['OutgoingGateOptions.places must be', (wrong) => createOutgoingGate(wrong), { secrets: [] }],
  [
    'OutgoingMarkdownOptions.linkHosts must be',
    (wrong) => escapeOutgoingText('a', wrong),
    { linkHosts: 'example.org' },
  ],
  ['OutgoingMarkdownOptions.hosts is unknown', (wrong) => gate.cleanText('a', wrong), { hosts: [] }],
  ['TextWorkerOptions.deadlineMs must be', (wrong) => createTextWorker(wrong), { deadlineMs: 0 }],
  [
    'TimeLimitOptions.timeoutMs must be',
    (wrong) => withinTimeLimit(() => 1, wrong),
    { timeoutMs: '5', tooLong },
  ],
  ['The names of commands must be', (wrong) => parseCommands('a', wrong), ['stop now']],
];

describe('wrong options', () => {
  it.each(calls)('are a TypeError: %s', async (message, call, wrong) => {
    const given = async () => call(wrong as never);
    await expect(given()).rejects.toThrow(TypeError);
    await expect(given()).rejects.toThrow(message);
  });

  it('show no secret', () => {
    const show = () => createSecretFilters('a-password-of-9-plums' as never);
    expect(show).toThrow('it is a text.');
  });
});
