<?php

/**
 * Guise in PhotoboothProject: replaces the photo before the booth's own effects.
 *
 * Copy this file to private/api/applyEffects.php. The booth includes it in api/applyEffects.php, where $file is the
 * name of the photo in the temporary folder, $isCollage and $isChroma tell what it is of, and $logger is the booth's
 * log.
 */

use Photobooth\Enum\FolderEnum;

/** What is made of every photo. Each setting can come from an environment variable of the web server. */
$guise = [
    'server' => getenv('GUISE_URL') ?: 'http://127.0.0.1:8080',
    'api_key' => getenv('GUISE_API_KEY') ?: '',
    // A number of the catalog, or the id of a custom filter or an alias.
    'filter' => getenv('GUISE_FILTER') ?: '1',
    // male 0, female 1, boy 2, girl 3, group 4; empty: told from the photo.
    'gender' => getenv('GUISE_GENDER') === false ? '' : getenv('GUISE_GENDER'),
    'seconds' => (int) (getenv('GUISE_SECONDS') ?: 60),
];

if (empty($isCollage) && empty($isChroma)) {
    try {
        guise_replace_photo(FolderEnum::TEMP->absolute() . DIRECTORY_SEPARATOR . $file, $guise);
        $logger->debug('Guise made the picture.');
    } catch (\Throwable $problem) {
        // The guest gets the plain photo.
        $logger->error('Guise: ' . $problem->getMessage());
    }
}

/** Puts the picture that Guise makes of a photo in its place. */
function guise_replace_photo(string $path, array $guise): void
{
    // What PHP prints of its own, such as warnings, would spoil the JSON that the booth answers with.
    $photo = @file_get_contents($path);
    if ($photo === false) {
        throw new \RuntimeException('the photo cannot be read');
    }
    [$width, $height] = getimagesizefromstring($photo) ?: [2, 3];
    $run = [
        'image' => base64_encode($photo),
        'filter_id' => ctype_digit($guise['filter']) ? (int) $guise['filter'] : $guise['filter'],
        'ratio' => $width > 1.15 * $height ? 'landscape' : ($height > 1.15 * $width ? 'portrait' : 'square'),
    ];
    if ($guise['gender'] !== '') {
        $run['gender'] = (int) $guise['gender'];
    }
    // The same photo that is processed twice is made and paid for once.
    $key = 'booth-' . hash('sha256', $photo . json_encode([$guise['filter'], $guise['gender'], basename($path)]));
    $guise['deadline'] = microtime(true) + $guise['seconds'];
    $job = guise_call($guise, '/v1/run/faceswap', $run, ['Idempotency-Key: ' . $key]);
    do {
        $left = max(1, min(20, (int) ceil($guise['deadline'] - microtime(true))));
        $status = guise_call($guise, '/v2/status/' . $job['id'], null, ['Prefer: wait=' . $left]);
        if ($status['status'] === 'FAILED') {
            throw new \RuntimeException($status['error'] ?? 'the job failed');
        }
    } while ($status['status'] !== 'COMPLETED' && microtime(true) < $guise['deadline']);
    if ($status['status'] !== 'COMPLETED') {
        guise_call($guise, '/v1/jobs/' . $job['id'] . '/cancel', null);
        throw new \RuntimeException('it took too long');
    }
    guise_write_jpeg($path, base64_decode($status['output']['images'][0]));
}

/** Photos of the booth are JPEGs. The file is replaced at once, so that nobody reads half of it. */
function guise_write_jpeg(string $path, string $png): void
{
    $picture = @imagecreatefromstring($png);
    if ($picture === false || !@imagejpeg($picture, $path . '.guise', 95) || !@rename($path . '.guise', $path)) {
        @unlink($path . '.guise');
        throw new \RuntimeException('the picture cannot be written');
    }
}

/** Posts JSON and gives the answer; throws the server's sentence. */
function guise_call(array $guise, string $path, ?array $body, array $headers = []): array
{
    $options = [
        'method' => 'POST',
        'header' => array_merge($headers, ['Content-Type: application/json', 'X-API-Key: ' . $guise['api_key']]),
        'content' => json_encode($body ?? new \stdClass()),
        // A server that accepts and says nothing holds the guest no longer than one that is slow.
        'timeout' => max(2, $guise['deadline'] - microtime(true)),
        'ignore_errors' => true,
        'follow_location' => 0,
    ];
    $stream = @fopen(rtrim($guise['server'], '/') . $path, 'r', false, stream_context_create(['http' => $options]));
    if ($stream === false) {
        throw new \RuntimeException('the server cannot be reached');
    }
    $answer = json_decode((string) stream_get_contents($stream), true);
    [$status] = stream_get_meta_data($stream)['wrapper_data'];
    fclose($stream);
    if (!is_array($answer) || !preg_match('/^HTTP\S+ 2/', $status)) {
        throw new \RuntimeException($answer['error'] ?? 'the server did not answer as it should');
    }
    return $answer;
}
