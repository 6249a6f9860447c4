import type { Comparison } from './find-differences.ts';

interface Types {
  readonly found: string;
  readonly expected: string;
}

/** Texts of `rehearse --compare` in English. */
export const en = {
  unreadable: (file: string, reason: string) =>
    `Cannot read ${file} (${reason}). Pass the file rehearsal.json that "rehearse" wrote.`,
  invalid: (file: string, place: string) =>
    `${file} is not a record of "rehearse" in a version this program can read (${place}).`,
  compared: ({ compared }: Comparison) =>
    `Compared ${compared} ${compared === 1 ? 'kind' : 'kinds'} of requests with the simulators and the conformance matrix of models.`,
  failedChecks: (names: string) => `✗ Checks that failed in this rehearsal: ${names}`,
  none: 'No differences found.',
  summary: (count: number) =>
    `Differences: ${count}. If the agent fails in your repository, attach this file to an issue: it contains no texts, names, addresses, ids or tokens.`,
  noStatus: 'no answer',
  findings: {
    'unknown-route': 'The simulators do not know this address.',
    'no-answer': (failure: string) => `No whole answer arrived (${failure}).`,
    status: (expected: string) => `The reference answers ${expected} here.`,
    'missing-field': (path: string) => `${path} is missing.`,
    'sometimes-missing-field': (path: string) => `${path} is missing in some answers.`,
    'other-type': (path: string, { found, expected }: Types) => `${path} is ${found}. Expected: ${expected}.`,
    'added-fields': (count: number, paths: string) =>
      `${count} ${count === 1 ? 'field' : 'fields'} that the reference lacks (harmless): ${paths}`,
    'missing-header': (header: string, count: string) =>
      `The header ${header} is missing in ${count} answers.`,
    'other-header': (header: string, { found, expected }: Types) =>
      `The header ${header} is ${found}. Expected: ${expected}.`,
    'no-link': (count: number) =>
      `${count} full ${count === 1 ? 'page has' : 'pages have'} no Link header: if there are more entries, they are not found.`,
    'no-tool-calls':
      'The model received tools and did not call any. Choose a model that supports tool calls.',
  },
};

/** Texts of `rehearse --compare` in one language. */
export type ComparisonTexts = typeof en;
