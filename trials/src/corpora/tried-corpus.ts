/** A corpus of others, and what became of its cases. */
export interface TriedCorpus {
  readonly name: string;
  readonly commit: string;
  readonly cases: number;
  readonly notes: readonly string[];
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
}

/** Formats corpora as a Markdown table. */
export function formatTable(corpora: readonly TriedCorpus[]): string {
  const rows = corpora.map(({ name, commit, cases, notes, failures }) => {
    const passed = cases - failures.length;
    const share = cases === 0 ? '-' : `${((100 * passed) / cases).toFixed(1)} %`;
    return `| ${name} | ${commit} | ${cases} | ${passed} | ${share} | ${notes.join(', ')} |`;
  });
  return ['| Corpus | Commit | Cases | Passed | Share | Notes |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
