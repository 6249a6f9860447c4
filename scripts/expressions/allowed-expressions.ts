/** Expressions that the checker cannot clear, by their texts, each with why no text makes it slow. */
export const allowedExpressions: ReadonlyMap<string, string> = new Map([
  [
    String.raw`/-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g`,
    'Two dashes end the key, and each header begins with five: no key is read twice.',
  ],
]);

const ofRefusals = 'Read at most the first 20,000 characters of what an endpoint answers.';
const ofAnswers = 'Constants; scripts/hostile/text-growth.test.ts measures the time of long texts.';
const ofForbiddenWords =
  'Lists of words between counted repetitions; linear.test.ts beside it measures the time of long texts.';

/** Files that build expressions while they run, each with what they are built from. */
export const builtExpressions: ReadonlyMap<string, string> = new Map([
  ['packages/runner/src/failures/read-token-counts.ts', ofRefusals],
  ['packages/runner/src/text-calls/call-syntax.ts', ofAnswers],
  ['packages/runner/src/text-calls/is-text-call.ts', ofAnswers],
  ['packages/text/src/reasoning/find-marks.ts', ofAnswers],
  ['packages/text/src/reasoning/remove-reasoning.ts', ofAnswers],
  [
    'packages/thread-context/src/chat/hidden-marks.ts',
    'A constant behind the bits of a key, of which there are sixteen.',
  ],
  ['packages/rehearsal/src/shapes/known-routes.ts', 'Constants of a file beside it.'],
  ['packages/context-inheritance/src/create-sanitizer.ts', 'One escaped name.'],
  ['packages/orchestrator/src/people/redact-person.ts', 'One escaped name.'],
  [
    'packages/platforms/src/http/page-links.ts',
    'A constant expression, made anew for each header because it is sticky.',
  ],
  [
    'packages/thread-context/src/chat/thread-names.ts',
    'Escaped names that the thread knows, one after the other.',
  ],
  ['packages/text/src/commands/parse-commands.ts', 'One escaped name of an account.'],
  ['packages/text/src/secrets/secret-forms.ts', 'Beginnings of tokens, with counted repetitions.'],
  ...['allowed-phrases', 'forbidden-patterns', 'forbidden-words', 'secret-patterns'].map(
    (name) => [`packages/pre-planning/src/assumption/forbidden/${name}.ts`, ofForbiddenWords] as const,
  ),
  [
    'packages/pre-planning/src/phase/reject-assumptions.ts',
    'Begins at the beginning; each label consumes a letter and digits.',
  ],
  ['packages/text/src/json/repair-string.ts', 'Tried at one place; a key ends within 64 letters.'],
  [
    'packages/text/src/json/lenient.ts',
    'The two expressions with a number in them: digits, then a sign that is no digit.',
  ],
  [
    'packages/pre-planning/src/collection/judge-tool-output.ts',
    'The output is refused first when it is longer than a sentence.',
  ],
  ['packages/pre-planning/src/collection/judge-tool-error.ts', 'Lists of words with counted repetitions.'],
  [
    'packages/thread-context/src/completion-keywords.ts',
    'Escaped words of the configuration: nothing repeats.',
  ],
  ['packages/text/src/wrap-untrusted-text.ts', 'The nonce: letters, digits and hyphens.'],
  ['packages/workspace/src/tools/command-rules.ts', 'Options of one word, from the beginning to the end.'],
  [
    'packages/workspace/src/sandbox/command-limits.ts',
    'A name of a field of the kernel, at the beginning of a line.',
  ],
]);
