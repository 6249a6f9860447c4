// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** @see seed 004 §9.1 */
const seedYaml = `
planning:
  enabled: true
  pre_planning:
    enabled: true

    # 依頼内容の理解設定
    understanding:
      # 理解の確信度閾値
      confidence_threshold: 0.7

    # 情報収集設定
    collection:
      # 情報収集の有効/無効
      enabled: true
      # ツールあたりの最大リトライ回数
      max_retries_per_tool: 2

    # 推測設定
    assumption:
      # 推測の有効/無効
      enabled: true
      # 推測の確信度閾値（これ未満は情報なしで計画）
      confidence_threshold: 0.5

    # 通知設定
    notification:
      # 開始通知
      notify_on_start: true
      # 理解完了通知
      notify_on_understanding_complete: true
      # 収集完了通知
      notify_on_collection_complete: true
      # 推測発生通知
      notify_on_assumption: false
`;

describe.each(forgesToTry('gitlab'))('the notification keys of the seed on %s', (name) => {
  async function runOnce(style: 'single' | 'seed', change: (yaml: string) => string = (yaml) => yaml) {
    const { planning } = parse(change(seedYaml));
    const shown = new Set<string>();
    const here = await startWorld({
      script: withPreparation(followPlan(fixStory)),
      forges: [name],
      config: { locale: 'ja', report: { style }, planning },
      onForgeRequest: async () => {
        for (const { body } of here.forge.thread('#1').statusComments) shown.add(body);
      },
    });
    world = here;
    here.forge.openIssue({
      title: 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
    });
    const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits }).exited;
    expect(code, output).toBe(0);
    const { comments, statusComments } = here.forge.thread('#1');
    return {
      comments: comments.map(({ body }) => body),
      shown: [...shown].join('\n'),
      last: statusComments[0]?.body ?? '',
    };
  }

  it('post the notices of the seed with report.style: seed, and announce the plan [PP-31..PP-34]', async () => {
    const { comments } = await runOnce('seed');
    expect(comments.map((body) => /^## (.*)$/m.exec(body)?.[1]).slice(0, 4)).toEqual([
      '🔍 タスク分析を開始します',
      '📋 タスク内容の理解が完了しました',
      '🗂️ 情報収集を開始します',
      '📚 情報収集が完了しました',
    ]);
    const [start = '', understanding = '', , end = ''] = comments;
    expect(start).toContain('タスク内容を理解し、計画に必要な情報を収集しています...\n\n*開始時刻: ');
    expect(understanding).toContain(
      '**スコープ**:\n- 対象: total.js\n- 対象外: the shop\n\n*理解の確信度: 90%*',
    );
    expect(end).toContain('\n計画フェーズに移行します...\n\n*完了時刻: ');
    expect(end).not.toContain('作業を開始します');
  });

  it('show their sections of the one comment with report.style: single', async () => {
    const { shown, last } = await runOnce('single');
    expect(shown).toContain('**現在:** 必要な情報を整理しています');
    expect(last).toContain('### 📋 依頼内容の理解');
    expect(last).toContain('### 📚 収集した情報');
    expect(last).toContain('to two places');
    expect(last).not.toContain('### ⚠️ 推測事項');
  });

  it('hide their sections of the one comment when they are switched over', async () => {
    const { shown, last } = await runOnce('single', (yaml) =>
      yaml.replaceAll(/(notify_on_\w+): (true|false)/g, (_, key, value) => `${key}: ${value === 'false'}`),
    );
    expect(shown).not.toMatch(/\*\*現在:\*\* (?:必要な情報を整理|依頼内容を理解|情報を収集)しています/);
    expect(last).not.toMatch(/### 📋 依頼内容の理解|### 📚/);
    expect(last).toContain('### ⚠️ 推測事項');
  });
});
