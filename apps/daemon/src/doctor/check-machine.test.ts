import { expect, it } from 'vitest';
import { checkSandbox } from './check-machine.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

it.each([
  ['external', 'ok', ['limit memory, processes, and disk in the container', 'コンテナー側で制限']],
  ['off', 'warning', ['processes can evade the resource limits', '目印を隠したプロセス']],
] as const)(
  'says what the daemon does not keep with sandbox: %s, in both languages [NX-228]',
  async (sandbox, status, said) => {
    const findings: Finding[] = [];
    const report = (finding: Finding) => void findings.push(finding);
    const runCommand = { sandbox, allow_root: true, network: false, nested_namespaces: false };
    for (const texts of [en, ja]) await checkSandbox({ texts, report }, { runCommand, environment: {} });
    expect(findings.map((finding) => finding.status)).toEqual([status, status]);
    for (const [at, words] of said.entries()) expect(findings[at]?.text).toContain(words);
  },
);

it('says of bubblewrap that memory and disk are measured, and not held by the kernel [NX-228]', () => {
  expect(en.sandboxOk(false)).toContain('measured every second and disk usage every 10 seconds');
  expect(ja.sandboxOk(false)).toContain('1 秒ごと');
});

it('has a remedy of its own for each thing that stands in the way of commands, in both languages [NX-411]', async () => {
  const runCommand = {
    sandbox: 'required',
    allow_root: false,
    network: false,
    nested_namespaces: false,
  } as const;
  for (const texts of [en, ja]) {
    const findings: Finding[] = [];
    const report = (finding: Finding) => void findings.push(finding);
    const environment = { PATH: '/nonexistent' };
    await checkSandbox({ texts, report }, { runCommand, environment, userId: 0 });
    await checkSandbox({ texts, report }, { runCommand, environment, userId: 501, platform: 'darwin' });
    const kinds = ['root', 'bubblewrap-missing', 'other-system'] as const;
    expect(findings.map(({ status, fix }) => ({ status, fix }))).toEqual(
      kinds.map((kind) => ({ status: 'failed', fix: texts.fixSandbox[kind] })),
    );
    for (const { fix } of findings.slice(1))
      expect(fix).toMatch(/tools\.run_command\.sandbox .*SECURITY\.md/);
  }
});
