import { defineConfig } from '@playwright/test'

/** What Playwright turns off; of two such lists the browser takes the last. */
const off = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
]
/** Pages of the browser's own for its address line: one for each window, a fifth of the time of all tests. */
const popups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './build.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  retries: 0,
  // Bounds that only a hang reaches, on a slow machine too.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${[...off, ...popups].join()}`,
      ],
    },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    locale: 'en-GB',
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every step costs half the time; TRACE=1 takes it for a fault that is hard to see.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
})
