import { play } from './play.ts';

const { pullRequest } = await play(console.log);
console.log(
  pullRequest === null ? 'No pull request was opened.' : `Draft pull request: ${pullRequest.title}`,
);
