// @module-tag full
import { beforeAll, describe, expect, it } from 'vitest';
import type { Color } from '../support/hearing-script.ts';
import { type HearingStory, tellHearingStory } from '../support/hearing-story.ts';
import { sampleOf } from '../support/samples.ts';
import { type ThreadStage, threadStages } from '../support/thread-stages.ts';
import { toTimeLimit } from '../support/world-runs.ts';

/** When it was said, and which request to the model is the first that must have it. */
const moments: readonly (readonly [string, Color, number])[] = [
  ['before the first model call', 'CRIMSON', 1],
  ['during the first model call', 'ORCHID', 2],
  ['between tool calls, while one of two is at work', 'AMBER', 3],
  ['during a model call', 'INDIGO', 4],
  ['while the run is paused', 'VIOLET', 5],
  ['while the process is dead', 'MAROON', 6],
  ['during the last model call', 'COPPER', 8],
  ['after the last answer, while the changes are pushed', 'LAVENDER', 9],
];
const isChosen = ({ name }: ThreadStage): boolean => /issue on GitHub|merge request/.test(name);

/** How often the text stands in each of the requests. */
const countIn = ({ requests }: HearingStory, text: string): number[] =>
  requests.map((request) => request.split(text).length - 1);
/** None before the n-th request, one in every later. */
const onceFrom = (first: number, { requests }: HearingStory): number[] =>
  requests.map((_, index) => (index + 1 < first ? 0 : 1));

describe.each(sampleOf(threadStages, isChosen))('comments on $name [CD-5, $requirement]', (stage) => {
  let story: HearingStory;
  beforeAll(async () => {
    story = await tellHearingStory(stage);
  }, toTimeLimit(120_000));

  it.each(moments)(
    'made %s stand exactly once in every request from their delivery on, and in none before [NX-1, NX-2, NX-3, CD-1, CD-2, CD-36, CD-T11]',
    (_, color, first) => {
      expect(countIn(story, color)).toEqual(onceFrom(first, story));
    },
  );

  it('that are edited are told once more with what changed, and those deleted are taken back once [NX-1]', () => {
    expect(countIn(story, '[Comment Edited by @alice]:')).toEqual(onceFrom(4, story));
    expect(countIn(story, 'CYAN').slice(0, 3)).toEqual([0, 0, 0]);
    expect(story.requests.at(-1)?.split('[Comment Edited by @alice]:')[1]).toContain('Paint it CYAN.');
    expect(countIn(story, '[Comment Deleted by @alice]:')).toEqual(onceFrom(5, story));
    expect(story.requests.at(-1)?.split('[Comment Deleted by @alice]:')[1]).toContain('Paint it OLIVE.');
  });

  it('that were deleted before anybody looked are never told of [NX-2]', () => {
    expect(story.requests.join()).not.toContain('SILVER');
  });

  it('change what the model answers from the request on that has them [CD-T15]', () => {
    const answers = [...(story.requests.at(-1) ?? '').matchAll(/Told so far: ([a-z, ]+)\./g)];
    const counts = answers.map(([, words]) => words?.split(', ').length);
    // The pause may come before the fourth answer: then that call is made again after it.
    expect([
      [1, 4, 5, 7, 9, 9, 10],
      [1, 4, 5, 9, 9, 10],
    ]).toContainEqual(counts);
    expect(story.thread.comments.at(-1)?.body).toContain(
      'Told so far: crimson, orchid, teal, cyan, olive, amber, indigo, violet, maroon, copper, lavender.',
    );
  });

  it('are all accounted for in the final comment, told or not [NX-8]', () => {
    const report = story.thread.comments.at(-1)?.body ?? '';
    const lines = [
      ...report.matchAll(/^- `@(\w+)`, [^:]+:.*: (\w+) comment, (delivered to the agent|not delivered)$/gm),
    ];
    const told = lines.map(([, who, what, whether]) => `${who}'s ${what} comment ${whether}`).sort();
    expect(report).toContain('### 💬 Comments during the run\n\n- `@alice`, ');
    expect(told, `${report}\n${story.outputs.join('\n')}`).toEqual([
      "alice's deleted comment delivered to the agent",
      "alice's edited comment delivered to the agent",
      ...Array.from({ length: 10 }, () => "alice's new comment delivered to the agent"),
      "bob's new comment not delivered",
    ]);
  });

  it('reach a server that remembers nothing: every request is the whole conversation [NX-12]', () => {
    for (const request of story.requests) {
      expect(request).not.toMatch(/"(item_reference|previous_response_id)"/);
      expect(request).toContain('It forgets the quantity.');
    }
  });
});
