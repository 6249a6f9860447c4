import { play } from './play.ts';

const { pullRequest } = await play(console.log);
console.log(
  pullRequest === null ? 'There is no pull request.' : `A draft pull request: ${pullRequest.title}`,
);
