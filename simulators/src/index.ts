export { startDiscordSimulator } from './discord/index.ts';
export { startGitHubSimulator } from './github/index.ts';
export { startGitLabSimulator } from './gitlab/index.ts';
export { startLmStudio } from './lm-studio/index.ts';
export { startScriptedModel } from './model/index.ts';
