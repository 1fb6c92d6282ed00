/* Evaluation of an operation list (tape) for many instances: each operation is carried out for a strip of instances
 * before the next operation.
 *
 * Each register of the tape is a row of WIDTH numbers, so that decoding an operation costs little compared to executing
 * it, and the compiler can use vector instructions. Operations are neither fused nor reordered: the results are
 * bitwise those of the interpreter. */
#include "loop.h"
#include <math.h>
#include <stdint.h>

enum { WIDTH = 32, LINE = 64 };

#define FOR_ALL for (int k = 0; k < WIDTH; k++)
#define OPERATION(number, form) \
    case number: \
        FOR_ALL to[k] = form; \
        break;

long strip_width(void) { return WIDTH; }

/* Evaluates the tape for `count` instances. Entry e of input array i of instance t is given[i][t * given_step[i] + e],
 * with step 0 for an array that all instances share; likewise for the output arrays `answers`. An output operation
 * reads register `first` and writes entry `second` of array `to`. `room` is working memory of WIDTH numbers per
 * register, plus one cache line. */
void walk_tape(long count, long steps, const Step *tape, double **given, const long *given_step, double **answers,
               const long *answer_step, double *room) {
    double *rows = (double *)(((uintptr_t)room + LINE - 1) & ~(uintptr_t)(LINE - 1));
    for (long begin = 0; begin < count; begin += WIDTH) {
        const int filled = count - begin < WIDTH ? (int)(count - begin) : WIDTH;
        for (const Step *step = tape; step < tape + steps; step++) {
            double *restrict to = rows + step->to * WIDTH;
            const double *a = rows + step->first * WIDTH, *b = rows + step->second * WIDTH;
            switch (step->operation) {
            case INPUT: {
                const long stride = given_step[step->first];
                const double *from = given[step->first] + begin * stride + step->second;
                for (int k = 0; k < filled; k++)
                    to[k] = from[k * stride];
                for (int k = filled; k < WIDTH; k++)
                    to[k] = to[0]; /* unused places of the last strip repeat its first instance */
                break;
            }
            case OUTPUT: {
                const long stride = answer_step[step->to];
                double *there = answers[step->to] + begin * stride + step->second;
                for (int k = 0; k < filled; k++)
                    there[k * stride] = a[k];
                break;
            }
            case CONSTANT:
                FOR_ALL to[k] = step->value;
                break;
#include "operations.h"
            }
        }
    }
}
