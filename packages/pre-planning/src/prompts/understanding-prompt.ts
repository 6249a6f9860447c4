import type { PrePlanningRequest } from '../pre-planning-request.ts';
import { describeRequest } from './describe-request.ts';
import { formatMaterialRule, languages, type PromptOptions } from './prompt-options.ts';

/** What a model is asked, apart from the run's conversation. */
export interface Prompt {
  readonly instructions: string;
  readonly text: string;
}

/** Asks what is being asked. @see seed 004 §3.2, §3.3 */
export function makeUnderstandingPrompt(request: PrePlanningRequest, options: PromptOptions): Prompt {
  return {
    instructions: `You prepare the work of a coding agent. Understand what a request asks for; do not plan or solve it. ${formatMaterialRule(options)}`,
    text: `${describeRequest(request, options)}

## What to understand
- task_type: what kind of work it is, such as new feature, bug fix, refactoring, documentation, question
- primary_goal: the state that must be reached in the end
- expected_deliverables: what concretely has to be there afterwards (code, tests, documents)
- constraints: limits of technique or time that were stated or follow from the request
- scope: what belongs to it, and what does not
- understanding_confidence: 0 to 1, how sure you are; below 0.5 where the goal is a guess
- ambiguities: what can be read in several ways. Technical readings: choose the most plausible. Premises left out: take the general one. Contradictions: decide which requirement comes first; later words of people who may give instructions win. Incomplete specifications: infer from existing patterns. Empty when nothing is ambiguous.

Take comments and earlier runs into account. Write all values in ${languages[options.locale]}; keep keys, names and code as they are.

## Form of the answer
Answer with this one JSON object and nothing else:
{
  "phase": "request_understanding",
  "request_understanding": {
    "task_type": "…",
    "primary_goal": "…",
    "expected_deliverables": ["…"],
    "constraints": ["…"],
    "scope": { "in_scope": ["…"], "out_of_scope": ["…"] },
    "understanding_confidence": 0.85,
    "ambiguities": [
      { "item": "…", "possible_interpretations": ["…", "…"], "selected_interpretation": "…", "reasoning": "…" }
    ]
  }
}`,
  };
}
