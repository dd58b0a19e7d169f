// At stake: two builds of one function must meet under one name, or a ledger compares `f.constprop.0` with nothing; and
// NumPy's C++ is 1 function in 20, whose layer is found by its qualified name.
#include <gmock/gmock.h>

#include <random>

#include "harness/attribution/naming.h"

namespace tare::attribution {
namespace {

TEST(NormalizedName, LeavesAPlainNameAlone) {
    for (const char* name : {"sgemm_nn", "__memcpy_avx512_unaligned_erms", "_PyEval_EvalFrameDefault", "a", "", ".",
                             ".cold", "x.y", "dgemm_kernel_HASWELL", "py::f:/tmp/a.py"})
        EXPECT_EQ(normalized_name(name), name);
}

TEST(NormalizedName, CutsTheSuffixesOfClonesAsOftenAsTheyStand) {
    EXPECT_EQ(normalized_name("f.constprop.0"), "f");
    EXPECT_EQ(normalized_name("f.constprop.0.isra.0.cold"), "f");
    EXPECT_EQ(normalized_name("f.part.12.constprop.3"), "f");
    EXPECT_EQ(normalized_name("f.cold.1"), "f");
    EXPECT_EQ(normalized_name("f.lto_priv.0"), "f");
    EXPECT_EQ(normalized_name("f.llvm.1234567890123456789"), "f");
    EXPECT_EQ(normalized_name("f.localalias"), "f");
    EXPECT_EQ(normalized_name("f.cold.warm"), "f.cold.warm");
}

TEST(NormalizedName, CutsTheVersionButNotThePltEnding) {
    EXPECT_EQ(normalized_name("memcpy@@GLIBC_2.14"), "memcpy");
    EXPECT_EQ(normalized_name("memcpy@GLIBC_2.2.5"), "memcpy");
    EXPECT_EQ(normalized_name("malloc@plt"), "malloc@plt");
    EXPECT_EQ(normalized_name("malloc@GLIBC_2.2.5@plt"), "malloc@plt");
    EXPECT_EQ(normalized_name("_ZN2np3addEi@plt"), "np::add@plt");
}

TEST(NormalizedName, ReducesCPlusPlusToTheQualifiedName) {
    EXPECT_EQ(normalized_name("_Z10aheapsort_IN3npy10double_tagEdEiPT0_Pll"), "aheapsort_");
    EXPECT_EQ(normalized_name("_ZN2np4sort9heapsort_IN3npy8half_tagEtEEiPT0_l.constprop.0"), "np::sort::heapsort_");
    EXPECT_EQ(normalized_name("_ZN12_GLOBAL__N_13addEii"), "add");
    EXPECT_EQ(normalized_name("_ZN1a12_GLOBAL__N_11b3addEii"), "a::b::add");
    EXPECT_EQ(normalized_name("_ZNKSt6vectorIiSaIiEE4sizeEv"), "std::vector::size");
    EXPECT_EQ(normalized_name("_ZN3FooC1Ei"), "Foo::Foo");
    EXPECT_EQ(normalized_name("_ZN3FooD2Ev"), "Foo::~Foo");
    EXPECT_EQ(normalized_name("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm"),
              "std::__cxx11::basic_string::reserve");
    EXPECT_EQ(normalized_name("_Z3fooB5cxx11v"), "foo");
}

TEST(NormalizedName, KeepsTheNamesOfOperators) {
    EXPECT_EQ(normalized_name("_ZN1alsERKS_S1_"), "a::operator<<");
    EXPECT_EQ(normalized_name("_ZN1altERKS_"), "a::operator<");
    EXPECT_EQ(normalized_name("_ZN1agtERKS_"), "a::operator>");
    EXPECT_EQ(normalized_name("_ZN1aclEi"), "a::operator()");
    EXPECT_EQ(normalized_name("_ZNK1aixEi"), "a::operator[]");
    EXPECT_EQ(normalized_name("_ZN1aptEv"), "a::operator->");
    EXPECT_EQ(normalized_name("_Znwm"), "operator new");
    EXPECT_EQ(normalized_name("_ZdaPv"), "operator delete[]");
    EXPECT_EQ(normalized_name("_ZN1acviEv"), "a::operator int");
    EXPECT_EQ(normalized_name("_ZN1acvjEv"), "a::operator unsigned int");
    EXPECT_EQ(normalized_name("_ZN1aeqERKS_"), "a::operator==");
    EXPECT_EQ(normalized_name("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc"), "std::operator<<");
    EXPECT_EQ(normalized_name("_Zli3_kmy"), "operator\"\" _km");
    EXPECT_EQ(normalized_name("_ZN9operator_1fEv"), "operator_::f");
}

TEST(NormalizedName, FollowsLocalFunctionsAndLambdas) {
    EXPECT_EQ(normalized_name("_ZZN1a1fEiENKUlvE_clEv"), "a::f::{lambda#1}::operator()");
    EXPECT_EQ(normalized_name("_ZZNK1a1fEiENKUliE0_clEi"), "a::f::{lambda#2}::operator()");
    EXPECT_EQ(normalized_name("_ZThn16_N1a1fEi"), "non-virtual thunk to a::f");
}

TEST(NormalizedName, ReadsWhatNumbaMangles) {
    EXPECT_EQ(normalized_name("_ZN8__main__1fB2v2B38c8tJTIeFIjxB2IKSgI4CrvQClQZ6FczSBAA_3dE5ArrayIdLi1E1C7mutable7"
                              "alignedE"),
              "__main__::f");
    EXPECT_EQ(normalized_name("_ZN7cpython8__main__5outerB2v3B38c8tJTIeFIjxB2IKSgI4CrvQClQZ6FczSBAA_3dEx"),
              "cpython::__main__::outer");
    EXPECT_EQ(normalized_name("cfunc._ZN8__main__4vaddB2v1B52c8tJTIeFImbKsAWlBR0FJMfbgsMFGDwYEQhVCwwAMEsTAA_3d_3dEdd"),
              "cfunc.__main__::vadd");
    EXPECT_EQ(normalized_name("__ufunc__._ZN8__main__4vaddB2v1Edd"), "__ufunc__.__main__::vadd");
    EXPECT_EQ(normalized_name("_ZN8__main__5f$241E5ArrayIdLi1E1C7mutable7alignedE"), "__main__::f$241");
    EXPECT_EQ(normalized_name("_ZN8__main__1fB2v1E9nonsense"), "__main__::f");  // arguments that are no C++ types
}

TEST(NormalizedName, LeavesWhatCannotBeTakenApart) {
    EXPECT_EQ(normalized_name("_Z"), "_Z");
    EXPECT_EQ(normalized_name("_Zfoo"), "_Zfoo");
    EXPECT_EQ(normalized_name("_ZN99abcE"), "_ZN99abcE");
    EXPECT_EQ(normalized_name("_ZN99999999999999999999a"), "_ZN99999999999999999999a");
}

TEST(NormalizedName, SurvivesDamagedNames) {
    std::mt19937_64 random(20'261'122);
    const std::vector<std::string> good = {
        "_ZZNK1a1fEiENKUliE0_clEi", "_ZN2np4sort9heapsort_IN3npy8half_tagEtEEiPT0_l.constprop.0",
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "_ZN8__main__1fB2v1B4c8tJE5ArrayIdLi1E1CE@plt"};
    for (int i = 0; i < 20'000; ++i) {
        std::string name = good[random() % good.size()];
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            name[random() % name.size()] = "_ZNSE0123456789.@aIlLKUPtvi"[random() % 27];
        EXPECT_FALSE(normalized_name(name).empty());
    }
}

}  // namespace
}  // namespace tare::attribution
