// @module-tag full
import { planDiscount } from '@agent/simulators/demo/parts';
import { startScriptedModel, withFinalSummaries } from '@agent/simulators/model';
import { expect, it } from 'vitest';
import { runDemo } from './run-demo.ts';

it('asks a model that cannot say what it understood for nothing but its work [PP-52]', {
  tags: ['release'],
  timeout: 120_000,
}, async () => {
  // It answers the questions before the first step with a wish for tools that it is not offered.
  const endpoint = await startScriptedModel({
    script: withFinalSummaries((view) => planDiscount(view).reply),
  });
  try {
    const env = { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'scripted-model', LLM_API: 'chat' };
    const { code, output } = await runDemo([], { env });
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output).toContain("✔ the agent's comment on the issue showed what it understood");
    expect(output).not.toContain('/reject');
    expect(output).toMatch(/^ {2}\+\s+return sum;$/m);
  } finally {
    await endpoint.close();
  }
});
