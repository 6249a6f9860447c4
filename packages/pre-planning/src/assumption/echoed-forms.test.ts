import { readJsonAnswer } from '@agent/text/json';
import { describe, expect, it } from 'vitest';
import { makeNeed } from '../../test/collection-setup.ts';
import { needsAnswer } from '../../test/needs-answer.ts';
import { sampleRequest, understandingAnswer } from '../../test/sample-request.ts';
import { toPromptOptions } from '../answers/prompt-options.ts';
import { informationNeedsSchema } from '../collection/information-needs.ts';
import { makeNeedsPrompt } from '../collection/needs-prompt.ts';
import { makeUnderstandingPrompt } from '../understanding/request-understanding-processor.ts';
import { understandingSchema } from '../understanding/understanding.ts';
import { assumptionAnswerSchema, makeAssumptionPrompt } from './assumption-prompt.ts';

const options = toPromptOptions({ locale: 'en' });
const understanding = understandingSchema.parse(understandingAnswer).request_understanding;
const assumption = { info_id: 'a', assumed_value: 'b', reasoning: 'c', confidence: 0.6, refuted_by: 'd' };
const questions = [
  {
    name: 'what is asked',
    prompt: makeUnderstandingPrompt(sampleRequest, options),
    schema: understandingSchema,
    answer: understandingAnswer,
  },
  {
    name: 'what has to be known',
    prompt: makeNeedsPrompt({ request: sampleRequest, understanding, tools: [], maxItems: 50 }, options),
    schema: informationNeedsSchema,
    answer: needsAnswer,
  },
  {
    name: 'what to assume',
    prompt: makeAssumptionPrompt({ need: makeNeed('a'), reason: '', understanding, collected: [] }, options),
    schema: assumptionAnswerSchema,
    answer: { assumption },
  },
] as const;

describe('a form that was given back as it is', () => {
  it.each(questions)('is known for the question $name, also behind an answer', ({ prompt, ...asked }) => {
    const form = prompt.text.slice(prompt.text.lastIndexOf('\n{\n'));
    expect(readJsonAnswer<unknown>(form, asked.schema)).toMatchObject({
      status: 'unreadable',
      problem: 'the form was returned unchanged',
    });
    expect(readJsonAnswer<unknown>(`${JSON.stringify(asked.answer)}\n${form}`, asked.schema)).toMatchObject({
      status: 'read',
      answer: asked.answer,
    });
  });

  it('is not seen in an answer that holds a choice of two', () => {
    const answer = { info_id: 'roles', assumed_value: 'user|admin', confidence: 0.6 };
    expect(
      readJsonAnswer(
        JSON.stringify({ assumed_value: 'user|admin', confidence: 0.6 }),
        assumptionAnswerSchema,
      ),
    ).toMatchObject({ status: 'read', answer: { assumption: { assumed_value: 'user|admin' } } });
    expect(readJsonAnswer(JSON.stringify(answer), assumptionAnswerSchema)).toMatchObject({ status: 'read' });
  });
});
