import { answerPlan, editRequest } from './planning-course.ts';
import { createPlanningScript } from './planning-script.ts';
import { killNow, live, type Targeted } from './targeted.ts';
import type { TrialBed } from './trial-bed.ts';

/** Lives and answers in turn, until nothing is open. */
async function goOn(bed: TrialBed, answering: Parameters<typeof answerPlan>[1] = {}): Promise<void> {
  for (let lives = 0; lives < 6; lives += 1) {
    await live(bed);
    if ((await bed.listOpen()).length === 0) return;
    answerPlan(bed, answering);
  }
}

/** Plans that die, or lose their approval, at the worst of moments. */
export const plans: readonly Targeted[] = [
  {
    name: 'killedInAction',
    bed: { script: createPlanningScript({ failures: 1 }), config: { planning: { approval: 'required' } } },
    play: async (bed) => {
      bed.at(1, () => void killNow(bed)());
      await goOn(bed);
    },
    expect: ({ effects, runs }) => [
      ...(effects.join() === 'step 1,step 2,step 3,step 6' ? [] : [`the steps were ${effects.join()}`]),
      ...(runs[0]?.outcome?.status === 'completed' ? [] : ['the run did not complete']),
    ],
  },
  {
    name: 'approvalVoided',
    bed: { script: createPlanningScript({ failures: 0 }), config: { planning: { approval: 'required' } } },
    play: async (bed) => {
      let edits = 0;
      const beforeApproval = () => {
        edits += 1;
        if (edits === 1) editRequest(bed);
      };
      await goOn(bed, { beforeApproval });
    },
    expect: ({ runs }) => {
      const [first] = runs;
      const isVoided = first?.lines.some((line) => line.includes('"reason":"request_changed"')) === true;
      return [
        ...(isVoided ? [] : ['the approval of another request was taken']),
        ...(first?.outcome?.status === 'completed' ? [] : ['the run did not complete']),
      ];
    },
  },
];
