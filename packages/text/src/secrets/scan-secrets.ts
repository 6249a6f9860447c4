import type { FoundSecret } from './found-secret.ts';

/** Rules that `secretlint` recommends and that are left out here. */
const leftOut = new Set(
  [
    // Who writes a text must not say that it is not looked at.
    'filter-comments',
    // Our own form judges addresses with a password: a database of the developer's own machine is no secret.
    'basicauth',
    'database-connection-string',
  ].map((name) => `@secretlint/secretlint-rule-${name}`),
);

/**
 * Finds what a maintained scanner knows as a secret: the rules that `secretlint` recommends, whatever comments in the
 * text ask of it. Loading it costs a tenth of a second and 10 MB, so that is done at the first use.
 */
export async function scanSecrets(text: string): Promise<readonly FoundSecret[]> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It would keep entries for each rule and text as long as the process lives.
  secretLintProfiler.setEnabled(false);
  const { messages } = await lintSource({
    source: { filePath: 'text.txt', content: text, contentType: 'text', ext: '.txt' },
    options: {
      config: {
        rules: rules.filter(({ meta }) => !leftOut.has(meta.id)).map((rule) => ({ id: rule.meta.id, rule })),
      },
      noPhysicFilePath: true,
    },
  });
  return messages.map(({ range: [start, end], ruleId }) => ({
    kind: `secret (${ruleId.replace(/^@secretlint\/secretlint-rule-/, '')})`,
    start,
    end,
  }));
}
