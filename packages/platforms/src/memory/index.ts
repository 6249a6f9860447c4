export type { MemoryPlatform, MemorySeed } from './create-memory-platform.ts';
export { createMemoryPlatform } from './create-memory-platform.ts';
export type { MemoryPeople, MemoryPullRequestSeed } from './memory-people.ts';
export type { MemoryReviewers } from './memory-reviewers.ts';
export type { MemoryFailure, MemoryFile, MemoryRepositorySeed } from './memory-state.ts';
export type { MemoryIssueSeed } from './memory-threads.ts';
