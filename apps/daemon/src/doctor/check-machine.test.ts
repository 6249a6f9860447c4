import { expect, it } from 'vitest';
import { checkSandbox } from './check-machine.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

it.each([
  ['external', 'ok', ['memory, processes and disk are for the container', 'コンテナー側で制限']],
  ['off', 'warning', ['limits miss processes that hide their mark', '目印を隠したプロセス']],
] as const)(
  'says what the daemon does not keep with sandbox: %s, in both languages [NX-228]',
  async (sandbox, status, said) => {
    const findings: Finding[] = [];
    const report = (finding: Finding) => void findings.push(finding);
    const runCommand = { sandbox, allow_root: true, network: false };
    for (const texts of [en, ja]) await checkSandbox({ texts, report }, { runCommand, environment: {} });
    expect(findings.map((finding) => finding.status)).toEqual([status, status]);
    for (const [at, words] of said.entries()) expect(findings[at]?.text).toContain(words);
  },
);

it('says of bubblewrap that memory and disk are measured, and not held by the kernel [NX-228]', () => {
  expect(en.sandboxOk(false)).toContain('measured each second and their disk every ten');
  expect(ja.sandboxOk(false)).toContain('1 秒ごと');
});

it('has a remedy of its own for each thing that stands in the way of commands, in both languages [NX-411]', async () => {
  const userId = process.getuid?.();
  const runCommand = { sandbox: 'required', allow_root: false, network: false } as const;
  for (const texts of [en, ja]) {
    const findings: Finding[] = [];
    const report = (finding: Finding) => void findings.push(finding);
    await checkSandbox({ texts, report }, { runCommand, environment: { PATH: '/nonexistent' } });
    const fixes = userId === 0 ? [texts.fixRoot, texts.fixSandbox] : [texts.fixSandbox];
    expect(findings.map(({ status, fix }) => ({ status, fix }))).toEqual(
      fixes.map((fix) => ({ status: 'failed', fix })),
    );
  }
});
