import tests from '../e2e/playwright.config'

export default { ...tests, testDir: '.', testMatch: '*.take.ts', globalSetup: '../e2e/build.ts' }
