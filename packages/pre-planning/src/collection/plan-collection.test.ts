import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/model-server.ts';
import { needsAnswer as answer, writtenNeed as item } from '../../test/needs-answer.ts';
import { sampleRequest, understandingAnswer } from '../../test/sample-request.ts';
import { createStructuredOutput } from '../answers/create-structured-output.ts';
import { toPromptOptions } from '../answers/prompt-options.ts';
import { planCollection } from './plan-collection.ts';

describe('planCollection', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  async function plan(text: string) {
    server = await startModelServer(() => ({ kind: 'say', text }));
    const source = createStructuredOutput({ model: server.model, maxRetries: 0 });
    const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }];
    const understanding = {
      ...understandingAnswer.request_understanding,
      ambiguities: [],
      expected_deliverables: ['テスト'],
      constraints: [],
      scope: { in_scope: [], out_of_scope: [] },
    };
    const material = { request: sampleRequest, understanding, tools, maxItems: 50 };
    const prompt = toPromptOptions({ locale: 'ja' });
    return planCollection(material, { source, prompt });
  }

  it('asks with the tools, the categories, the criteria and the understanding [PP-17]', async () => {
    expect((await plan(JSON.stringify(answer))).needs).toEqual(answer.information_needs);
    const { written } = server.requests[0] ?? { written: '' };
    for (const part of ['read_file', 'codebase', 'Necessity', 'Priority', 'Alternative', 'skip_collection']) {
      expect(written).toContain(part);
    }
    expect(written).toContain('合計に数量を反映する');
  });

  it('collects nothing where no plan can be read after four answers [E13]', async () => {
    expect((await plan('I would read everything.')).needs).toEqual({
      required_information: [],
      collection_order: [],
      skip_collection: true,
      skip_reason: '計画生成失敗',
    });
    expect(server.requests).toHaveLength(4);
  });

  it('asks again for a plan whose form was only given back [PP-18]', async () => {
    const form = {
      ...item,
      description: '…',
      purpose: '…',
      collection_method: { tool: '…', parameters: {} },
    };
    const echo = { required_information: [{ ...form, fallback_strategy: '…', default_assumption: '…' }] };
    const { needs } = await plan(JSON.stringify({ ...answer, information_needs: echo }));
    expect([needs.skip_reason, server.requests.length]).toEqual(['計画生成失敗', 4]);
  });
});
