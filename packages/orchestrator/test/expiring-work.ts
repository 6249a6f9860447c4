import type { Doorbell } from '@agent/platforms/sources';
import { MockLanguageModelV4 } from 'ai/test';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, type OrchestratorOptions } from '../src/index.ts';
import { connectConfiguredPlatforms } from '../src/platforms/index.ts';
import type { ExpiriesBed } from './expiries-bed.ts';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

type Content = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>['content'];

/** A model that does one thing in each step, before which something happens. */
export function createStepModel(steps: number, before: (step: number) => Promise<void>) {
  const prompts: string[] = [];
  let step = 0;
  const call = (toolName: string, input: object): Content => [
    { type: 'tool-call', toolCallId: `call-${step}`, toolName, input: JSON.stringify(input) },
  ];
  const decide = (): Content => {
    if (step > steps) return [{ type: 'text', text: 'All of it is done.' }];
    if (step % 10 === 0) return call('run_command', { command: 'printenv', args: [] });
    return call('write_file', { path: `notes/${step}.md`, content: `note ${step}\n` });
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      step += 1;
      prompts.push(JSON.stringify(prompt));
      if (step <= steps) await before(step);
      const content = decide();
      const reason = content[0]?.type === 'text' ? 'stop' : 'tool-calls';
      return { content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
    },
  });
  return { model, prompts };
}

/** Settings of a run without a plan that may last as long as it takes. */
const longRun = parseRunSettings({
  planning: { enabled: false },
  limits: { max_steps: 200, max_duration_minutes: 10_000 },
  tools: { run_command: { allow: ['printenv'], sandbox: 'off', allow_root: true } },
});

/** Starts what works on the labeled issue; its bell rings as webhooks ring it. */
export function startWork(
  bed: ExpiriesBed,
  { model, ...options }: Pick<OrchestratorOptions, 'sleep'> & { readonly model: MockLanguageModelV4 },
) {
  let bell: Doorbell | undefined;
  const { directories, settings, secrets, environment, logger, now, forge } = bed;
  const key = forge.key;
  const orchestrator = createOrchestrator({
    platforms: (at) => {
      bell = at.doorbell;
      return connectConfiguredPlatforms(settings, { logger, now, ...at });
    },
    ...{
      model,
      directory: directories,
      settings: longRun,
      secrets: secrets.values,
      environment,
      logger,
      now,
      ...options,
    },
  });
  const ring = () => bell?.ring({ key, commentId: null, updatedAt: null, deleted: false });
  return { orchestrator, ring };
}
