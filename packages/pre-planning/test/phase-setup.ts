import type { ModelReaction } from '@agent/simulators/model';
import { createStructuredOutput } from '../src/answers/create-structured-output.ts';
import { createReadOnlyTools } from '../src/collection/create-read-only-tools.ts';
import { PrePlanningManager } from '../src/phase/pre-planning-manager.ts';
import type { PrePlanningEvent, PrePlanningOptions } from '../src/phase/pre-planning-options.ts';
import { makeNeed, makeNeeds, makeTool } from './collection-setup.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { understandingAnswer } from './sample-request.ts';

/** Which question of the phase a request asks. */
export type Asked = 'understanding' | 'needs' | 'assumption';

export interface Phase {
  readonly server: ModelServer;
  readonly events: PrePlanningEvent[];
  /** The path of each call of the tool that reads. */
  readonly reads: string[];
  readonly asked: Asked[];
  /** A manager as a new process would make it. */
  readonly createManager: (options?: PrePlanningOptions) => PrePlanningManager;
}

/** A plan of which `b` fails, `c` must not be assumed, and `d` names a tool that writes. */
export const sampleNeeds = makeNeeds([
  makeNeed('a', { description: '合計の関数', purpose: '変更するため' }),
  makeNeed('b', { description: 'テストの配置', purpose: 'テストを書くため' }),
  makeNeed('c', { description: '決済サービスのAPIキー', purpose: '接続のため', default_assumption: 'abc' }),
  makeNeed('d', {
    category: 'context',
    description: 'コーディング規約',
    purpose: '',
    fallback_strategy: '既存のコードに合わせる',
    collection_method: { tool: 'write', parameters: { path: 'd' } },
    default_assumption: '2スペース',
  }),
]);

export const sampleAnswers: Readonly<Record<Asked, object>> = {
  understanding: understandingAnswer,
  needs: { phase: 'information_planning', information_needs: sampleNeeds },
  assumption: {
    assumption: {
      info_id: 'b',
      assumed_value: 'ソースの隣',
      reasoning: '一般的な配置',
      confidence: 0.6,
      refuted_by: 'testディレクトリの存在',
    },
  },
};

/** The parts of a phase, with a model server on loopback; the tool reads `a` and finds nothing else. */
export async function startPhase(
  react: (asked: Asked, count: number) => ModelReaction | object = (asked) => sampleAnswers[asked],
): Promise<Phase> {
  const events: PrePlanningEvent[] = [];
  const reads: string[] = [];
  const asked: Asked[] = [];
  const server = await startModelServer(({ written }) => {
    const question = toAsked(written);
    asked.push(question);
    const reaction = react(question, asked.filter((one) => one === question).length);
    return 'kind' in reaction ? (reaction as ModelReaction) : { kind: 'say', text: JSON.stringify(reaction) };
  });
  const read = (path: string) => {
    reads.push(path);
    if (path !== 'a') throw new Error('ENOENT: no such file');
    return 'const total = 1;';
  };
  const tools = createReadOnlyTools({
    read: makeTool(read),
    write: makeTool(() => {
      throw new Error('a tool that writes was run');
    }, false),
  });
  return {
    server,
    events,
    reads,
    asked,
    createManager: (options = {}) =>
      new PrePlanningManager(
        { source: createStructuredOutput({ model: server.model, maxRetries: 0 }), tools },
        {
          locale: 'ja',
          now: () => new Date('2026-11-22T10:00:00Z'),
          sleep: async () => undefined,
          onEvent: (event) => void events.push(event),
          ...options,
        },
      ),
  };
}

function toAsked(written: string): Asked {
  if (written.includes('What could not be found out')) return 'assumption';
  return written.includes('What may be needed') ? 'needs' : 'understanding';
}
