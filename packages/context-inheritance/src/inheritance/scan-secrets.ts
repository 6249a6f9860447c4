const replacement = '[REDACTED]';

/**
 * Takes out what a maintained scanner knows as a secret: the rules that `secretlint` recommends. Loading it costs a
 * tenth of a second and 10 MB, so that is done at the first use: most runs have nothing to inherit.
 */
export async function scanSecrets(text: string): Promise<string> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It would keep entries for each rule and text as long as the process lives.
  secretLintProfiler.setEnabled(false);
  const { messages } = await lintSource({
    source: { filePath: 'summary.txt', content: text, contentType: 'text', ext: '.txt' },
    options: {
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
      noPhysicFilePath: true,
    },
  });
  return redactRanges(
    text,
    messages.map(({ range }) => range),
  );
}

function redactRanges(text: string, ranges: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from >= end) parts.push(text.slice(end, from), replacement);
    end = Math.max(end, to);
  }
  return [...parts, text.slice(end)].join('');
}
